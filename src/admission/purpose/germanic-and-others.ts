// Rules for German, Dutch, Polish and Turkish, without their marks.
import { context, NO_QUESTION, pattern } from './rule.ts';
import type { RuleGroup } from './rule.ts';

const DE = context`\b(?:nicht|kein\w*|ohne|nie|niemals|weder)\b(?: \w+){0,4} ?$|\b(?:melde?n?|gemeldet|anzeige|beschwer\w*|erhalten\w*|bekommen\w*|opfer\w*|laden|geschaft|gegen|versicherung|wegen|entschuldig\w*|frag\w* (?:ob|nach)|jemand|schutz)\b`;
const NL = context`\b(?:niet|geen|zonder|nooit)\b(?: \w+){0,4} ?$|\b(?:melden|melding|klacht|ontvangen|kregen|slachtoffer|winkel|tegen|sorry|excuses|iemand|vraag of)\b`;
const PL = context`\b(?:nie|bez|nigdy|ani)\b(?: \w+){0,4} ?$|\b(?:zglos\w*|skarg\w*|otrzym\w*|ofiar\w*|sklep\w*|przeciw\w*|przepros\w*|ktos|zapytaj czy)\b`;
const TR = /(?:sikayet|bildir|ihbar|magdur|dukkan|magaza|ozur|aldigimiz|birisi)/;

export const GERMANIC_AND_OTHERS: readonly RuleGroup[] = [
  {
    reading: 'latin',
    stems:
      'scherz|telefon|klingel|streich|verarsch|umbring|toten|prugel|abstech|erschiess|anzund|bombe|droh|bedroh|zu drohen|erzahl|belastig|terroris|schikan|auflegen|leg\\w* .{0,20}auf|nacht|beleidig|nerv|arger|erschreck|minuten|spass|reinleg|mobb|stalk',
    rules: [
      {
        id: 'de-prank',
        category: 'prank',
        pattern: pattern`\b(?:(?:telefon)?scherzanrufe?n?|scherzanrufs?|telefonstreiche?n?|telefonscherze?|klingelstreiche?)\b|\b(?:spiel\w*|mach\w*|erlaub\w*)\b.{0,30}\b(?:streich\w*|telefonscherz|scherz mit|scherz)\b|\bstreich (?:spielen|zu spielen)\b|\b(?:verarsch(?:e|en)?|reinleg(?:en|e)|erschreck(?:e|en)?)\b|\b(?:ruf\w*|anrufen)\b.{0,40}\b(?:zum spass|aus spass|als scherz)\b`,
        before: DE,
        after: /^.{0,25}\b(?:erhalten|bekommen|melden|die wir|den wir|gemeldet)/,
      },
      {
        id: 'de-threat',
        category: 'threat',
        pattern: pattern`\b(?:sag\w*|droh\w*|erzahl\w*|richte\w* aus|teil\w* mit)\b.{0,60}\b(?:umbring\w*|tote[nt]?|verprugel\w*|abstech\w*|erschiess\w*|anzund\w*|eine bombe|sterben|niederbrenn\w*|zusammenschlag\w*)\b|\bbedroh(?:e|en|t)?\b.{0,3}\b(?:ihn|sie|meinen?|den|die|seinen?|ihren?)\b|\b(?:mit (?:dem tod|gewalt|mord)|ihm|ihr|ihnen) (?:zu )?drohen\b|\bdrohe? (?:ihm|ihr|ihnen|dem|der|meinem|meiner|mit)\b|\b(?:mach\w*|ruf\w*|eine)\b.{0,30}\bbombendrohung\b|\bbombendrohung (?:machen|anrufen|aussprechen|gegen|an)\b|\b(?:ist|liegt|gibt) (?:\w+ )?eine bombe\b|\bich (?:werde|bringe) (?:ihn|sie|dich) (?:um\b|tot|toten|umbringen)`,
        before: DE,
        after: /^.{0,25}\b(?:erhalten|bekommen|anwalt|klage|kundig|weltkrieg|entscharf|gemeldet)/,
      },
      {
        id: 'de-nuisance',
        category: 'nuisance',
        pattern: pattern`\b(?:belastig(?:e|en|t)|terrorisier(?:e|en)|schikanier(?:e|en)|beleidig(?:e|en)|arger(?:e|n)|nerv(?:e|en)|mobb(?:e|en)|stalk(?:e|en)|demutig(?:e|en))\b.{0,3}\b(?:ihn|sie|meinen?|meine|den|die|seinen?|seine|ihren?|ihre)\b|\b(?:ihn|sie|nachbarn?|ex-?\w*|chef|lehrer) (?:\w+ ){0,3}?(?:zu )?(?:belastigen|nerven|terrorisieren|argern|beleidigen|schikanieren)\b
          |\b(?:ruf\w*|anrufen|angerufen)\b${NO_QUESTION}{0,50}\b(?:und (?:\w+ )?(?:wieder )?(?:auflegen|aufzulegen|leg\w* (?:\w+ ){0,3}auf)|die ganze nacht|alle (?:\w+ )?(?:minuten|sekunden)|ununterbrochen|\d{2,} ?mal)\b`,
        before: DE,
        after: /^.{0,25}\b(?:wenn (?:der|die mailbox|niemand)|falls)/,
      },
    ],
  },
  {
    reading: 'latin',
    stems:
      'grap|belgrap|telefoongrap|nepoproep|neptelefoon|vermoord|doodmak|neerstek|in elkaar|een bom\\b|bedreig|bommelding|lastig|stalk|hang|leg |nacht|pest|beledig|minuten|treiter|plaag',
    rules: [
      {
        id: 'nl-prank',
        category: 'prank',
        pattern: pattern`\b(?:haal|halen|doe|pleeg|maak)\b.{0,25}\b(?:grap(?:je)? (?:uit|met)|telefoongrap|belgrap|neptelefoontje)\b|\bgrap uit ?(?:te )?halen\b|\b(?:belgrap(?:pen|je)?|telefoongrap(?:pen|je)?|neptelefoontjes?|nepoproep|grapoproep)\b|\b(?:bel|bellen)\b.{0,30}\b(?:als|voor de) grap\b|\bplaag (?:mijn|de|hem|haar)\b`,
        before: NL,
        after: /^.{0,20}\b(?:die (?:we|ik)|melden|gekregen|ontvangen)/,
      },
      {
        id: 'nl-threat',
        category: 'threat',
        pattern: pattern`\b(?:zeg|vertel|zeggen|waarschuw)\b.{0,50}\b(?:vermoord\w*|doodmaken|dood ga\w*|neersteken|in elkaar sla\w*|een bom|platbrand\w*|doodschiet\w*|sterven)\b|\bbedreig(?:en)?\b.{0,3}\b(?:hem|haar|hen|mijn|de|zijn|met (?:de dood|geweld))\b|\b(?:doe|bel|pleeg|maak)\b.{0,30}\b(?:bommelding|bomdreiging|valse melding)\b|\ber (?:ligt|is) een bom\b|\bik (?:ga|zal) (?:hem|haar|je|jou|hen) vermoorden\b`,
        before: NL,
        after: /^.{0,25}\b(?:advocaat|rechtszaak|ontvangen)/,
      },
      {
        id: 'nl-nuisance',
        category: 'nuisance',
        pattern: pattern`\blastig ?(?:te )?vallen\b|\bval (?:hem|haar|hen|mijn \w+|de \w+)\b.{0,15}\blastig\b|\b(?:stalk|pest|treiter|beledig|terroriseer|intimideer)(?:en)? (?:hem|haar|hen|mijn|de|zijn)\b|\bbel(?:len)?\b${NO_QUESTION}{0,40}\b(?:en (?:\w+ )?(?:hang|leg)\w* (?:\w+ )?op|de hele nacht|elke (?:\w+ )?minu\w+|om de (?:\w+ )?minu\w+|\d{2,} keer)\b`,
        before: NL,
        after: /^.{0,25}\bals (?:de voicemail|er)/,
      },
    ],
  },
  {
    reading: 'latin',
    stems:
      'zart|dowcip|psikus|kawal|zabij|pobij|spal|bomb|groz|groz|nekaj|drecz|rozlacz|noc|obraz|wkurz|denerw|minut|straszy|nastrasz',
    rules: [
      {
        id: 'pl-prank',
        category: 'prank',
        pattern: pattern`\b(?:zrob\w*|wykon\w*|zadzwon\w*)\b.{0,30}\b(?:zart\w*|dowcip\w*|psikus\w*|kawal)\b|\b(?:zart\w*|dowcip\w*) telefoniczn\w+\b|\bdla (?:zartu|zartow|jaj|smiechu)\b|\bnastrasz\w*\b`,
        before: PL,
        after: /^.{0,20}\b(?:ktor|otrzym)/,
      },
      {
        id: 'pl-threat',
        category: 'threat',
        pattern: pattern`\b(?:powiedz\w*|przekaz\w*|oznajm\w*|ostrzez\w*)\b.{0,50}\b(?:zabij\w*|pobij\w*|spal\w*|podlozy\w* bomb\w*|jest bomba|zgin\w*|polami\w*|umrze\w*)\b|\b(?:zagroz|groz)(?:ic)? (?:mu|jej|im|mojemu|mojej|smiercia)\b|\b(?:podlozy\w+|jest) bomb[ae]\b|\balarm\w* bombow\w+\b|\bzabij(?:e|emy) (?:go|ja|ich|cie)\b`,
        before: PL,
        after: /^.{0,25}\b(?:otrzym|sad|pozw)/,
      },
      {
        id: 'pl-nuisance',
        category: 'nuisance',
        pattern: pattern`\b(?:nekaj|nekac|dreczyc|drecz|zameczaj|obrazaj|obraz|wyzywaj|wkurzaj|wkurz|denerwuj|przesladuj)\b(?: (?:go|ja|ich|moj\w*|sasiad\w*|tego|te|mu)\b)
          |\b(?:za)?dzwon(?:ic)?\b${NO_QUESTION}{0,40}\b(?:i (?:\w+ )?(?:sie )?(?:rozlacz\w*|odloz\w*|odklad\w*)|cala noc|przez cala noc|bez przerwy|co (?:\w+ )?minut\w*|\d{2,} razy)\b`,
        before: PL,
        after: /^.{0,25}\b(?:jesli|gdy)/,
      },
    ],
  },
  {
    reading: 'latin',
    stems: 'saka|isletm|oldur|bomba|tehdit|rahatsiz|taciz|kapat|gece|hakaret|kufur|korkut|dalga gec|dakika',
    rules: [
      {
        id: 'tr-prank',
        category: 'prank',
        pattern: pattern`\b(?:telefon sakasi|saka (?:yap|amac|olsun|icin)\w*|sakasi yap\w*|isletme telefonu|isletmek icin|dalga gec(?:mek|)(?: icin)?|korkut(?:mak icin)?)\b(?!ma)`,
        before: TR,
        after: /^.{0,25}(?:sikayet|bildir|degil)/,
      },
      {
        id: 'tr-threat',
        category: 'threat',
        pattern: pattern`(?:\boldur(?:ecegi\w*|ecek\w*|uruz|urum|ecegim)|\bbomba (?:var|oldugunu|koyduk|patlayacak|ihbari yap|koydum)|\btehdit (?:et|edin|ederek)(?!ti|mis|iliyor|ildi)\w*)`,
        before: TR,
        after: /^.{0,30}(?:sikayet|bildir|degil)/,
      },
      {
        id: 'tr-nuisance',
        category: 'nuisance',
        pattern: pattern`\b(?:(?:rahatsiz|taciz) (?:et|edin|etmek icin|edelim)|hakaret (?:et|edin)|kufur (?:et|edin)|kufret)\b|\b(?:ara|arayip|arayin)\b.{0,40}\b(?:kapat|kapatin|yuzune kapat)\b|\bbutun gece ara\w*|\bgece boyunca ara\w*`,
        before: TR,
        after: /^.{0,30}(?:sikayet|bildir|istemi|meyin)/,
      },
    ],
  },
];
