// Rules for Spanish, French, Portuguese and Italian, without their marks.
import { context, NO_QUESTION, pattern } from './rule.ts';
import type { RuleGroup } from './rule.ts';

const ES = context`\b(?:no|sin|nunca|ni|evitar|jamas)\b(?: \w+){0,4} ?$|\b(?:denunci\w*|quej\w*|recib\w*|reportar|reporte|informar sobre|victima\w*|contra|evitar|disculp\w*|perdon\w*|tienda|articulos|pregunta\w* (?:si|por)|alguien|policia sobre|seguro)\b`;
const FR = context`\b(?:ne|n'|pas|sans|jamais|ni)\b(?: ?[\w']+){0,4} ?$|\b(?:signaler|plainte|porter plainte|recu\w*|victimes?|magasin|boutique|contre|eviter|assurance|excus\w*|quelqu'un|demand\w+ (?:si|s'))\b`;
const PT = context`\b(?:nao|sem|nunca|nem|evite|evitar)\b(?: \w+){0,4} ?$|\b(?:denunci\w*|queixa|reclam\w*|receb\w*|vitimas?|loja|contra|desculp\w*|alguem|pergunt\w* se|boletim)\b`;
const IT = context`\b(?:non|senza|mai|ne|evitare|evita)\b(?: \w+){0,4} ?$|\b(?:denunci\w*|segnal\w*|reclam\w*|ricev\w*|vittim\w*|negozio|contro|scus\w*|qualcuno|chied\w* se|assicurazione)\b`;

export const ROMANCE: readonly RuleGroup[] = [
  {
    reading: 'latin',
    stems:
      'brom|jugarret|burl|enga|mata|golpe|quem|dispar|dano|morir|bomb|amena|molest|fastid|acos|colg|cuelg|noche|insult|asust|acose|estaf|suplant|haga[sn]? pasar|hacerse pasar|minutos|explo',
    rules: [
      {
        id: 'es-prank',
        category: 'prank',
        pattern: pattern`\b(?:llamadas?|llamar|llama|llame) (?:\w+ ){0,3}(?:de |en |por )?broma\b|\b(?:haz\w*|hac\w+|haga\w*|gast\w+|realiz\w+|jug\w+|juegu\w+)\b.{0,30}\b(?:bromas?|jugarreta|broma telefonica)\b|\bbroma telefonica\b|\b(?:burl(?:ate|arse|ar|ese|arnos)|reirnos|reirse) (?:de|del)\b|\b(?:asust(?:a|ar|ale|e|arlo|arla|alo|ala)) (?:a|al)\b`,
        before: ES,
        after: /^.{0,20}\b(?:que recib|hecha)/,
      },
      {
        id: 'es-threat',
        category: 'threat',
        pattern: pattern`\b(?:di\w{0,4}|decir\w*|digan?\w*|avis\w*|adviert\w*)\b.{0,50}\b(?:(?:lo|la|le|te|los|las)? ?(?:vamos|voy|van|va) a (?:matar\w*|golpear\w*|quemar\w*|disparar\w*|hacer\w* dano|romper\w*|pegar\w*|lastimar\w*)|(?:lo|la|te|los|las) (?:matare\w*|mataremos|mato|quemare\w*)|va a morir|vas a morir|hay una bomba|una bomba (?:va a|esta))\b
          |\b(?:amenaz(?:a|ar|ale|arle|alo|ala|arlo|arla|e|en|alos)\b(?! de)|amenac(?:e|es|en) (?:a|al|con)\b|(?:hay|pusimos|puse|pusieron|colocamos) una bomba|llam\w* .{0,30}\bamenaza de bomba|\bhaz .{0,20}amenaza|hacer una amenaza)|\b(?:voy|vamos) a (?:matar|quemar|apunalar)(?:lo|la|le|te|los|las)\b`,
        before: ES,
        after: /^.{0,25}\b(?:que (?:recib|hicier)|demand|acciones legales|abogado)/,
      },
      {
        id: 'es-nuisance',
        category: 'nuisance',
        pattern: pattern`\b(?:moles(?:ta|tar|te|ten|tale|tarle|tarlo|tarla|talo|tala|temos)|fastidi(?:a|ar|ale|arlo|arla|e)|acos(?:a|ar|alo|ala|arlo|arla|e|en)|hostig(?:a|ar|ue|arlo|arla)|insult(?:a|ar|e|ale|alo|ala|arle|arlo|arla)|humill(?:a|ar|e|arlo|arla))\b(?: (?:a|al|toda|hasta|mi|su|sus)\b| ?$|[.,!])
          |\bllam(?:a|ar|e|en|ale|alo|ala|arle|alos)\b${NO_QUESTION}{0,50}\b(?:y (?:luego )?(?:colg\w*|cuelg\w*)|toda la noche|sin parar|cada (?:\w+ )?minutos?|una y otra vez|\d{2,} veces|a las (?:tres|3|2|dos|4|cuatro) de la (?:manana|madrugada) para)\b`,
        before: ES,
        after: /^.{0,25}\bsi (?:sale|contesta|hay|es)/,
      },
    ],
  },
  {
    reading: 'latin',
    stems:
      'canular|blague|farce|mauvais tour|tue|frapp|brul|poignard|mourir|bomb|menac|harcel|emmerd|importun|raccroch|nuit|insult|piege|plaisanter|agac|derang|minutes|ennuy|effray|exploser|faire peur',
    rules: [
      {
        id: 'fr-prank',
        category: 'prank',
        pattern: pattern`\b(?:fai(?:s|re|tes|sons)|jou(?:e|er|ez|ons)|pass(?:e|er|ez))\b.{0,30}\b(?:canulars?|blagues?|farces?|mauvais tours?)\b|\bcanulars?(?: telephoniques?)?\b|\bappels? (?:pour )?(?:de |une )?(?:blague|farce|plaisanterie)\b|\b(?:pour (?:rigoler|rire|plaisanter|la blague|faire une blague)|(?:fai(?:s|re|tes)|lui) ?-?(?:lui|leur)? (?:tres )?peur)\b`,
        before: FR,
        after: /^.{0,20}\b(?:que (?:nous|j)|recu)/,
      },
      {
        id: 'fr-threat',
        category: 'threat',
        pattern: pattern`\b(?:di(?:s|re|tes)|annonc\w*|prevenez|previens)\b.{0,50}\b(?:(?:je vais|on va|nous allons|ils vont|va) (?:\w+ )?(?:le|la|les|te|vous|l')? ?(?:tuer|frapper|bruler|poignarder|buter|casser|egorger)|va mourir|vas mourir|allez mourir|(?:il y a|a pose|avons pose|ai pose) une bombe|une bombe (?:va|est|a ete))\b
          |\bmenac(?:es?|er|ez)\b.{0,3}\b(?:le|la|les|mon|ma|mes|son|sa|ses|ce|cet|cette|leur|de (?:mort|le|la|les))\b|\b(?:fai\w+|lanc\w+|telephon\w+|appel\w+)\b.{0,25}\balerte a la bombe\b|\b(?:il y a|nous avons pose|j'ai pose|on a pose) une bombe\b|\bje vais (?:le|la|te|vous|les) (?:tuer|buter|egorger|poignarder)\b`,
        before: FR,
        after: /^.{0,25}\b(?:poursuites|proces|avocat)/,
      },
      {
        id: 'fr-nuisance',
        category: 'nuisance',
        pattern: pattern`\b(?:harcel(?:es?|er|ez)|emmerd(?:es?|er|ez)|importun(?:e|er|ez)|agac(?:e|er|ez)|insult(?:e|er|ez)|humili(?:e|er|ez)|enerv(?:e|er|ez)|derang(?:e|er|ez)|embet(?:e|er|ez))\b.{0,3}\b(?:le|la|les|mon|ma|mes|son|sa|ses|ce|cette|leur)\b
          |\bappel(?:le|er|ez|ons)\b${NO_QUESTION}{0,40}\b(?:et (?:puis )?raccroch\w+|toute la nuit|sans arret|toutes les (?:\w+ )?minutes|en boucle|\d{2,} fois)\b|\bteleph\w+.{0,30}\bet raccroch\w+`,
        before: FR,
        after: /^.{0,25}\bsi (?:c'est|le repondeur|personne)/,
      },
    ],
  },
  {
    reading: 'latin',
    stems:
      'trote|pegadinha|brincadeira|matar|mata-|bater|queimar|esfaque|morrer|bomba|amea|perturb|incomod|importun|deslig|noite|assedi|insult|assust|xing|zoar|minutos|explod',
    rules: [
      {
        id: 'pt-prank',
        category: 'prank',
        pattern: pattern`\b(?:trotes?|pegadinhas?)\b|\b(?:faca|fazer|faz)\b.{0,20}\bbrincadeira (?:com|de mau gosto|telefonica)\b|\bligacao de brincadeira\b|\b(?:zoar|assust(?:e|ar)) (?:o|a|com|meu|minha|ele|ela)\b`,
        before: PT,
        after: /^.{0,20}\b(?:que (?:receb|fizer)|recebid)/,
      },
      {
        id: 'pt-threat',
        category: 'threat',
        pattern: pattern`\b(?:dig\w*|diz\w*|fal[ae]\w*|avis\w*)\b.{0,50}\b(?:(?:vou|vamos|vai|vao) (?:te |o |a |os )?(?:mata\w*|bater|queimar|esfaquear|machuca\w*|quebrar)|(?:vai|vao) morrer|(?:ha|tem) uma bomba|uma bomba (?:vai|esta))\b|\bamea(?:ce|car|ca)\b.{0,3}\b(?:o|a|os|ele|ela|meu|minha|seu|sua|matar)\b|\b(?:faca|fazer|ligue|ligar|passe|passar)\b.{0,30}\bameaca\b|\b(?:ha|tem|colocamos|coloquei) uma bomba\b|\bvou (?:te |o |a )?mata(?:r|-lo|-la|-los)\b`,
        before: PT,
        after: /^.{0,25}\b(?:processo|advogad|pulgas|baratas|formigas|mosquitos)/,
      },
      {
        id: 'pt-nuisance',
        category: 'nuisance',
        pattern: pattern`\b(?:perturb(?:e|ar)|incomod(?:e|ar)|importun(?:e|ar)|assedi(?:e|ar)|insult(?:e|ar)|xing(?:ue|ar)|humilh(?:e|ar)|atorment(?:e|ar))\b.{0,3}\b(?:o|a|os|as|ele|ela|eles|meu|minha|seu|sua|vizinh\w*|ate)\b
          |\blig(?:ue|ar|a|ando)\b${NO_QUESTION}{0,40}\b(?:e (?:depois |logo )?deslig\w+|a noite (?:toda|inteira)|sem parar|a cada (?:\w+ )?minutos?|\d{2,} vezes)\b`,
        before: PT,
        after: /^.{0,25}\bse (?:cair|for|ninguem)/,
      },
    ],
  },
  {
    reading: 'latin',
    stems:
      'scherz|ammazz|uccid|picchi|bruci|morir|bomba|minacc|molest|infastid|perseguit|riattacc|riagganc|notte|insult|spavent|disturb|tormenta|minuti|prendere in giro|prendi in giro|esplod',
    rules: [
      {
        id: 'it-prank',
        category: 'prank',
        pattern: pattern`\b(?:fai|fare|fate|fagli|falle|faccia|facciamo)\b.{0,20}\b(?:scherzo|scherzi|scherzetto)\b|\bscherz[oi] telefonic[oi]\b|\b(?:telefonat[ae]|chiamat[ae]) (?:per |di |da )?scherzo\b|\bprend(?:i|ere) in giro\b|\bspavent(?:a|are|alo|ala) (?:il|la|mio|mia)\b`,
        before: IT,
        after: /^.{0,20}\bche (?:abbiamo|ho) (?:ricev|subit)/,
      },
      {
        id: 'it-threat',
        category: 'threat',
        pattern: pattern`\b(?:di(?:gli|lle|re|te)?|dica|avvisa\w*)\b.{0,50}\b(?:(?:lo|la|ti|li|vi) (?:ammazz\w+|uccid\w+|picchi\w+|bruci\w+|faro del male)|(?:stiamo per|sto per|andiamo a|voglio) (?:ammazz|uccid|bruci)\w+|morir(?:a|ai|anno)|c'?e una bomba|una bomba (?:sta|esplod\w+))\b|\bminacci(?:a|are|alo|ala|arlo|arla|ate)\b(?: (?:il|la|lo|i|le|mio|mia|di (?:morte|uccid\w+|far\w*|bruci\w+)|suo|sua|un)\b| ?$|\.)|\bc'?e una bomba\b|\b(?:fai|fare|lancia\w*|telefona\w*)\b.{0,25}\b(?:allarme bomba|minaccia)\b|\bl[oa] (?:ammazz|uccid)ero\b`,
        before: IT,
        after: /^.{0,25}\b(?:causa|avvocat|azioni legali)/,
      },
      {
        id: 'it-nuisance',
        category: 'nuisance',
        pattern: pattern`\b(?:molest(?:a|are|ate)|infastidisc(?:i|a)|infastidire|perseguit(?:a|are)|insult(?:a|are)|tormenta(?:re)?|disturba(?:re)?|umilia(?:re)?)\b(?: (?:il|la|lo|i|gli|mio|mia|suo|sua|i miei)\b)
          |\b(?:chiam(?:a|are|i|alo|ala)|telefona(?:re)?)\b${NO_QUESTION}{0,40}\b(?:e (?:poi |subito )?(?:riattacc\w+|riagganc\w+)|tutta la notte|senza sosta|ogni (?:\w+ )?minut[oi]|\d{2,} volte)\b`,
        before: IT,
        after: /^.{0,25}\bse (?:risponde la|c'e la)/,
      },
    ],
  },
];
