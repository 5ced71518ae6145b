// The same wishes in other languages: pranks, nuisance, threats, harassment. Native script is matched as written (`folded`),
// languages in Latin script without their marks (`latin`).
import type { Category, Rule } from './rule.ts';

const latin = (id: string, category: Category, pattern: RegExp, unless?: RegExp): Rule => ({
  id,
  category,
  pattern,
  reading: 'latin',
  ...(unless === undefined ? {} : { unless }),
});
const folded = (id: string, category: Category, pattern: RegExp, unless?: RegExp): Rule => ({
  ...latin(id, category, pattern, unless),
  reading: 'folded',
});

const ES = /\b(?:denunci\w*|quej\w*|recibi\w*|informar|reportar|victima|tienda|contra|evitar)\b/;
const FR = /\b(?:signaler|plainte|porter|recu\w*|victime|magasin|contre|eviter|assurance)\b/;
const DE = /\b(?:melden|gemeldet|anzeige|beschwer\w*|erhalten|bekommen|opfer|laden|geschaft|gegen|versicherung)\b/;
const PT = /\b(?:denunci\w*|queixa|reclam\w*|recebi\w*|vitima|loja|contra|evitar)\b/;
const IT = /\b(?:denunci\w*|segnal\w*|reclam\w*|ricevut\w*|vittima|negozio|contro|evitare)\b/;
const NL = /\b(?:melden|melding|klacht|ontvangen|slachtoffer|winkel|tegen)\b/;
const PL = /\b(?:zglos\w*|skarg\w*|otrzym\w*|ofiar\w*|sklep|przeciw\w*)\b/;
const TR = /\b(?:sikayet\w*|bildir\w*|ihbar\w*|magdur\w*|dukkan\w*|magaza\w*)\b/;
const RU = /(?:сообщить о|пожаловаться|жалоб|получил|заявлен|жертв|магазин)/;

export const WORLD: readonly Rule[] = [
  latin(
    'es-prank',
    'prank',
    /\b(?:haz(?:le|me)?|hacer(?:le)?|hagan?(?:le)?|gast(?:a|ar|ale|arle)|realizar?)\b.{0,25}\b(?:broma|bromas|jugarreta)\b|\bllamada de broma\b|\bbroma telefonica\b/,
    ES,
  ),
  latin(
    'es-threat',
    'threat',
    /\b(?:di(?:le|ga|gale)|decir(?:le)?|avis\w*)\b.{0,40}\b(?:(?:lo|la|le|te|los|las) (?:vamos a |voy a )(?:matar|golpear|quemar|disparar|hacer dano)|(?:lo|la|te) (?:matare|matare?mos)|va a morir|hay una bomba)\b|\bamenaz(?:a|ar|ale|arle|alo|ala)\b.{0,20}\b(?:a |de |con )|\bamenaza de bomba\b/,
    ES,
  ),
  latin(
    'es-nuisance',
    'nuisance',
    /\b(?:moles(?:ta|tar|tale|tarlo|tarla|talo|tala)|fastidi(?:a|ar|ale|arlo|arla)|acos(?:a|ar|alo|ala|arlo|arla))\b.{0,25}\b(?:a |toda la noche|hasta|mi |su )|\bllam(?:a|ar|e|en)\b.{0,20}\by (?:colgar|cuelga|cuelgue)\b/,
    /\b(?:no quiero|sin|perdon\w*|disculp\w*|denunci\w*|quej\w*|ruido)\b/,
  ),
  latin(
    'fr-prank',
    'prank',
    /\b(?:fai(?:s|re|tes)(?:-lui|-leur)?|jou(?:e|er|ez)(?:-lui)?)\b.{0,25}\b(?:canular|blague|farce|mauvais tour)s?\b|\bcanular telephonique\b/,
    FR,
  ),
  latin(
    'fr-threat',
    'threat',
    /\b(?:di(?:s|re|tes)(?:-lui|-leur)?|annonce\w*)\b.{0,50}\b(?:(?:je vais|on va|nous allons|ils vont) (?:le|la|les|te|vous) (?:tuer|frapper|bruler|poignarder)|va mourir|(?:il y a|a pose) une bombe)\b|\bmenac(?:e|er|ez)\b.{0,6}-?(?:le|la|les|mon|ma|son|sa|ce)\b|\balerte a la bombe\b/,
    FR,
  ),
  latin(
    'fr-nuisance',
    'nuisance',
    /\b(?:harcel(?:e|er|ez)|emmerd(?:e|er|ez)|importun(?:e|er|ez))\b.{0,4}-?\b(?:le|la|les|mon|ma|mes|son|sa|ses|ce|cette)\b|\bappel(?:le|er|ez)\b.{0,30}\bet (?:raccroch\w+)\b|\bappel(?:le|er|ez)\b.{0,30}\btoute la nuit\b/,
    FR,
  ),
  latin(
    'de-prank',
    'prank',
    /\b(?:scherzanruf|telefonstreich|scherzanrufe|telefonstreiche)\b|\b(?:spiel\w*|mach\w*)\b.{0,25}\b(?:streich|telefonscherz)\b|\bverarsch(?:e|en)\b/,
    DE,
  ),
  latin(
    'de-threat',
    'threat',
    /\b(?:sag\w*|droh\w*)\b.{0,50}\b(?:umbringen|toten|verprugeln|abstechen|erschiessen|anzunden|eine bombe)\b|\bbedroh(?:e|en)\b.{0,6}\b(?:ihn|sie|meinen?|den|die|seine?)\b|\bbombendrohung\b/,
    DE,
  ),
  latin(
    'de-nuisance',
    'nuisance',
    /\b(?:belastig(?:e|en)|terrorisier(?:e|en)|schikanier(?:e|en))\b.{0,6}\b(?:ihn|sie|meinen?|den|die|seine?|ihre?)\b|\b(?:ruf\w*|anrufen)\b.{0,30}\b(?:und (?:sofort |gleich |dann )?(?:auflegen|leg\w* auf))\b|\bruf\w*\b.{0,30}\bdie ganze nacht\b/,
    DE,
  ),
  latin('pt-prank', 'prank', /\b(?:faca|fazer|faz|passe|passar)\b.{0,15}\b(?:um |uma )?(?:trote|pegadinha)s?\b/, PT),
  latin(
    'pt-threat',
    'threat',
    /\b(?:dig\w*|diz\w*|fal\w*|avis\w*)\b.{0,40}\b(?:(?:vou|vamos) (?:te |o |a )?(?:mata\w*|bater|queimar|esfaquear)|vai morrer|ha uma bomba|tem uma bomba)\b|\bamea(?:ce|car|ca)\b.{0,6}\b(?:o|a|ele|ela|meu|minha|de)\b|\bameaca de bomba\b/,
    PT,
  ),
  latin(
    'pt-nuisance',
    'nuisance',
    /\b(?:perturb(?:e|ar)|incomod(?:e|ar)|importun(?:e|ar))\b.{0,15}\b(?:ele|ela|meu|minha|vizinh\w*|a noite toda|ate)\b|\blig(?:ue|ar)\b.{0,25}\be (?:deslig\w+)\b/,
    PT,
  ),
  latin(
    'it-prank',
    'prank',
    /\b(?:fai|fare|fate|fagli|falle)\b.{0,15}\b(?:uno |lo )?(?:scherzo|scherzi)\b|\bscherzo telefonico\b/,
    IT,
  ),
  latin(
    'it-threat',
    'threat',
    /\b(?:di(?:gli|lle|re)?|dica)\b.{0,40}\b(?:(?:lo|la|ti|li) (?:ammazz\w+|uccid\w+|picchi\w+|bruci\w+)|morira|c'?e una bomba)\b|\bminacci(?:a|are|alo|ala)\b.{0,8}\b(?:il|la|lo|mio|mia|di|suo|sua)\b|\ballarme bomba\b/,
    IT,
  ),
  latin(
    'it-nuisance',
    'nuisance',
    /\b(?:molest(?:a|are)|infastidisc(?:i|a)|infastidire|perseguit(?:a|are))\b.{0,10}\b(?:il|la|lo|mio|mia|suo|sua)\b|\bchiam(?:a|are|i)\b.{0,25}\be (?:riattacc\w+|riagganci\w+)\b/,
    IT,
  ),
  latin(
    'nl-prank',
    'prank',
    /\b(?:haal|halen|doe|pleeg|maak)\b.{0,20}\b(?:een )?(?:grap uit|telefoongrap|belgrap|neptelefoontje)\b|\bbelgrap\b/,
    NL,
  ),
  latin(
    'nl-threat',
    'threat',
    /\b(?:zeg|vertel)\b.{0,40}\b(?:vermoord\w*|doodmaken|neersteken|in elkaar slaan|een bom)\b|\bbedreig\b.{0,6}\b(?:hem|haar|mijn|de|zijn)\b|\bbommelding\b/,
    NL,
  ),
  latin(
    'nl-nuisance',
    'nuisance',
    /\b(?:lastigvallen|val (?:hem|haar|mijn) .{0,15}lastig|stalk)\b.{0,10}|\bbel\b.{0,25}\ben (?:hang|leg) (?:meteen |dan )?op\b/,
    NL,
  ),
  latin(
    'pl-prank',
    'prank',
    /\b(?:zrob|zrobic|wykonaj)\b.{0,15}\b(?:zart|dowcip|psikus\w*)\b|\bzart telefoniczny\b|\bdla zartu\b/,
    PL,
  ),
  latin(
    'pl-threat',
    'threat',
    /\b(?:powiedz|przekaz)\b.{0,40}\b(?:zabij\w*|pobij\w*|spal\w*|podlozyl\w* bomb\w*|jest bomba)\b|\bzagroz\b|\bgroz (?:mu|jej|im)\b/,
    PL,
  ),
  latin(
    'pl-nuisance',
    'nuisance',
    /\b(?:nekaj|dreczyc|drecz|zameczaj)\b|\bdzwon\b.{0,25}\bi (?:sie )?rozlacz\w*\b|\bdzwon\b.{0,15}\bcala noc\b/,
    PL,
  ),
  latin('tr-prank', 'prank', /\b(?:telefon sakasi|saka yap\w*|isletme telefonu|isletmek icin)\b/, TR),
  latin(
    'tr-threat',
    'threat',
    /\b(?:oldur(?:ecegi\w*|uruz|urum)|bomba (?:var|koyduk|patlayacak)|tehdit et(?!ti\w*|mis\w*))/,
    TR,
  ),
  latin('tr-nuisance', 'nuisance', /\b(?:rahatsiz et|taciz et)(?! ?(?:mek istemi|iyor mu|meyin|tigim|ildi))/, TR),
  folded('ru-prank', 'prank', /(?:разыграй|разыграть|розыгрыш|пранк)/, RU),
  folded(
    'ru-threat',
    'threat',
    /(?:скажи|скажите|передай|передайте).{0,50}(?:убь[юе]|убить|зарежу|сожж[её]м|сожгу|взорв|заложена бомба|бомба в)|(?:пригрози|угрожай|заминирован)/,
    RU,
  ),
  folded(
    'ru-nuisance',
    'nuisance',
    /(?:доставай|донимай|изводи|травить|затрави).{0,25}(?:его|е[её]|их|соседа|начальник)|звони.{0,30}(?:и (?:сразу )?бросай трубку|всю ночь|каждые пять минут)/,
    RU,
  ),
  folded('zh-prank', 'prank', /(?:恶作剧|惡作劇|整蛊|整蠱|恶搞|惡搞)/, /(?:举报|舉報|投诉|投訴|收到|商店|报警|報警)/),
  folded(
    'zh-threat',
    'threat',
    /(?:告诉|告訴|跟|对|對|威胁|威脅|恐吓|恐嚇).{0,20}(?:杀|殺|炸|砍|弄死|打死|烧|燒)|(?:有|放了|安装了|安裝了)(?:一个|一個|颗|顆|枚)?炸弹|(?:有|放了)(?:一個|顆|枚)?炸彈|(?:威胁|威脅|恐吓|恐嚇)(?:他|她|他们|老板|前妻|前夫|邻居)/,
    /(?:举报|舉報|报警|報警|投诉|收到)/,
  ),
  folded(
    'zh-nuisance',
    'nuisance',
    /(?:骚扰|騷擾)(?:他|她|他们|邻居|鄰居|前|老板|电话轰炸)|(?:打|拨)(?:通|了)?.{0,6}(?:就|然后|然後)(?:立刻|马上)?(?:挂断|掛斷|挂掉)|电话轰炸|電話轟炸/,
    /(?:举报|舉報|报警|投诉|收到)/,
  ),
  folded(
    'ja-prank',
    'prank',
    /(?:いたずら電話|イタズラ電話|悪戯電話|どっきり|ドッキリ)/,
    /(?:通報|苦情|被害|受け|相談|迷惑して)/,
  ),
  folded(
    'ja-threat',
    'threat',
    /(?:殺す|殺して|殺すぞ|爆破|爆弾を|火をつけ|刺す)(?:ぞ|と|と言|と伝|と脅|する|仕掛)?|脅迫(?:して|する|電話)|脅して/,
    /(?:通報|被害|受け|相談|届|時間を殺|虫|害虫)/,
  ),
  folded(
    'ja-nuisance',
    'nuisance',
    /(?:無言電話|嫌がらせ)(?:を)?(?:し|かけ|す)|一晩中電話/,
    /(?:通報|被害|受け|相談|苦情)/,
  ),
  folded('ar-prank', 'prank', /(?:مقلب|مقالب|مكالمة مزحة|خدعة هاتفية)/, /(?:شكوى|بلاغ|تبليغ|محل|متجر)/),
  folded(
    'ar-threat',
    'threat',
    /(?:قل له|قل لها|اخبره|أخبره|اخبرها|أخبرها|هدد|تهديد).{0,40}(?:سنقتل|سأقتل|ساقتل|نقتل|سيموت|قنبلة|نحرق|سنحرق)|(?:هناك|يوجد|زرعنا) قنبلة|(?:هدده|هددها|هدد جاري)/,
    /(?:شكوى|بلاغ|تبليغ)/,
  ),
  folded(
    'ar-nuisance',
    'nuisance',
    /(?:أزعج|ازعج|ضايق)(?:ه|ها|هم| جاري| جارتي)|(?:اتصل).{0,20}(?:وأغلق|واغلق)/,
    /(?:شكوى|بلاغ|تبليغ)/,
  ),
  folded('hi-prank', 'prank', /(?:प्रैंक|मज़ाक करने के लिए|मजाक करने के लिए|शरारती कॉल|झूठी कॉल)/, /(?:शिकायत|रिपोर्ट|दुकान)/),
  folded(
    'hi-threat',
    'threat',
    /(?:जान से मार|मार डाल|मार दूंगा|मार दूँगा|बम रखा|बम है|बम से|धमकी दो|धमकी दे(?:ना|ं|ो)|धमकाओ)/,
    /(?:शिकायत|रिपोर्ट|मिली है)/,
  ),
  folded('hi-nuisance', 'nuisance', /(?:परेशान करो|तंग करो|परेशान करने के लिए|तंग करने के लिए|सताओ)/, /(?:शिकायत|रिपोर्ट|मत)/),
];
