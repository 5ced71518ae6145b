// English rules: pranks. The word itself is an order unless something around it says otherwise; for weaker words what is looked
// for is the wish to do it to somebody in this call.
import { AS_A_MATTER, BUSINESS, DENIED, HUMAN, KEEP, NOT, SAY, order, TOLD_OF } from './english-words.ts';
import { context, part, pattern } from './rule.ts';
import type { RuleGroup } from './rule.ts';

const NAME_OF_SOMETHING = part`[ -](?:themed|proof|toys?|shops?|stores?|items?|gifts?|products?|kits?|candles?|supplies|brothers|bros|inc|llc|ltd|co|company|department|box(?:es)?|museum|night|aisle|section|merchandise|books?|pens?|gum|foods?|cards?)\b`;
const HARMLESS_AFTER = context`^(?:${AS_A_MATTER}|${NAME_OF_SOMETHING})`;

export const ENGLISH_PRANKS: RuleGroup = {
  reading: 'latin',
  stems:
    'prank|prunk|telepr|prnk|crank|hoax|jok(?:e|ing)|trick|laugh|lulz|lol|giggle|kicks|fun|mess|fool|troll|punk|scar[ei]|spook|freak|startl|embarrass|pretend|fake|false|phony|bogus|pizza|refrigerator|fridge|prince albert|seymour|hugh|mike hunt|ben dover|amanda|freely|butts|deez|ligma|gag|dare|gullible|ghost|alien|reaction|rise out|not show|never show|no intention|silly voice|funny voice|wind|updog|joe mama|made[ -]up|invent|absurd|ridicul|stupid|nonsens|silly|crazy|insane|bizarre|gibberish|believ|think|convinc|creepy voice|not real|april|weird|random|panic|squirm|strange',
  rules: [
    {
      id: 'en-prank-word',
      category: 'prank',
      pattern: pattern`\b(?:(?:tele)?pr[au]nk|prnk)(?:s|ing|ed|ster)?(?:[ -]?(?:call|dial|phone|ring|text)(?:s|ing)?)?\b`,
      before: TOLD_OF,
      after: HARMLESS_AFTER,
    },
    {
      id: 'en-prank-call-by-another-name',
      category: 'prank',
      pattern: pattern`\b(?:crank|hoax|gag|joke|bogus|trolling|spoof|nonsense|gibberish|april fools?'?s?(?: day)?)(?:[ -]| phone )?(?:calls?|calling|dial|joke|trick)\b|\b(?:it'?s|as) (?:an )?april fool`,
      before: TOLD_OF,
      after: HARMLESS_AFTER,
    },
    {
      id: 'en-prank-hoax',
      category: 'prank',
      pattern: pattern`\b(?:make|do|play|pull|perform|run|start|phone in|call in|stage|carry out|as|is) (?:\w+ ){0,3}hoax(?:es)?\b`,
      before: TOLD_OF,
      after: HARMLESS_AFTER,
    },
    {
      id: 'en-prank-concealed',
      stems: 'prank|jok|hoax|fake|not real|made up|gag|set',
      category: 'prank',
      pattern: pattern`\b(?:don'?t|do not|never|without|until|before)\b.{0,30}\b(?:know(?:ing)?|tell(?:ing)?|reveal\w*|admit\w*
        |let on|find(?:ing|s)? out|reali[sz]\w+|suspect\w*|disclos\w+|giv(?:e|ing) away)\b.{0,25}\b(?:prank|joke|jok(?:e|ing)
        |hoax|fake|not real|made up|gag|set-?up)\b`,
      before: /\b(?:wait|call back)\b/,
    },
    {
      id: 'en-prank-joke-on',
      category: 'prank',
      pattern: pattern`\b(?:play|pull|do|run|spring|try)(?:ing)?\b.{0,25}\b(?:jokes?|tricks?|stunts?|gags?|mind games?)\b.{0,6}\bon\b`,
      before: TOLD_OF,
    },
    {
      id: 'en-prank-as-a-joke',
      category: 'prank',
      pattern: pattern`\bas an? (?:\w+ )?(?:joke|gag|dare|laugh|april fools?\w*)\b|\bfor (?:an? |the |some |cheap |our |my |their )?
        (?:laughs?|lulz|lols?|giggles|kicks|shits|funsies|comedy value|the hell of it)\b
        |\b(?:scar(?:e|ing)|annoy\w*|bother\w*|wak(?:e|ing)|lie|lying|ring|phone|dial|call|curs(?:e|ing)|order) (?:\w+ ){0,6}(?:just )?for fun\b(?! (?:league|run|class))`,
      before: context`${TOLD_OF.source}|\b(?:bought|gave|sent (?:me|us)|given)\b`,
      after: /^ (?:gift|item|shop)/,
    },
    {
      id: 'en-prank-fool',
      stems:
        'trick|fool|troll|punk|mess|freak|scar|spook|startl|embarrass|dup|wind|toy|screw|fuck|play with|jerk|rickroll|catfish|gasligh|mak(?:e|ing) (?:fun|a fool)',
      category: 'prank',
      pattern: pattern`(?:${order(part`(?:trick|fool|troll|punk|mess with|freak(?: out)?|scare(?: the \w+ out of)?|spook|startle|embarrass
        |dupe|wind up|mess around with|toy with|screw with|fuck with|play with|jerk around|rickroll|catfish|gaslight|make (?:fun of|a fool (?:out )?of))`)}
        |${KEEP}(?:tricking|fooling|trolling|punking|messing with|freaking|scaring|spooking|startling|embarrassing|winding up|screwing with|fucking with|making fun of))
        [ ](?:${HUMAN}|${BUSINESS}|(?:him|her|them) out\b)(?! (?:away|off|about what))
        |${order('wind(?:ing)?')} ${HUMAN} up\b`,
      before: TOLD_OF,
    },
    {
      id: 'en-prank-reaction',
      stems: 'reaction|rise|freak|panic|rage|squirm|scream|jump|lose',
      category: 'prank',
      pattern: pattern`\b(?:get|gets|getting|record|recording|capture|see|film|watch) (?:an? |his |her |their |the )?(?:(?:funny|angry|shocked|big|good|hilarious) )?
        (?:reactions?|rise out of|(?:him|her|them) (?:freak|panic|rage|squirm|scream|jump|lose (?:it|his|her|their)))\b`,
      before: context`${TOLD_OF.source}|\b(?:allergic|drug|vaccine|dose|chemical|medication)\b`,
      after:
        /^.{0,30}\b(?:to (?:the|a|our|my|this) (?:proposal|offer|draft|drug|vaccine|medication|design|price|new|news|gift|plan|product|contrast|idea|menu|concept)|time)/,
    },
    {
      id: 'en-prank-fake-order',
      category: 'prank',
      pattern: pattern`\b(?:mak(?:e|ing)|plac(?:e|ing)|book(?:ing)?|order(?:ing)?|leav(?:e|ing)|giv(?:e|ing)|call(?:ing)? in|phon(?:e|ing) in|report(?:ing)?)
        [ ](?:\w+ ){0,3}(?:fake|false|phony|bogus|made[- ]up|nonexistent) (?:\w+ ){0,2}(?:orders?|reservations?|bookings?|appointments?|delivery|complaints?|reviews?|reports?|pizzas?|alarms?|tips?)\b
        |\border\b.{0,50}\b(?:pizzas?|food|taxis?|cabs?|flowers|deliver(?:y|ies)|tow trucks?|hookers?|strippers?)\b.{0,80}\b(?:never pick(?:ing)?|won'?t (?:pay|pick)|did ?n[o']?t order|without (?:paying|(?:him|her|them) knowing)
        |(?:house|address|place|door)\b.{0,20}\b(?:revenge|joke|prank|who did|mess))
        |\b(?:with no intention of|no intention to|and (?:then )?(?:not|never|don'?t)) (?:show(?:ing)? up|pay(?:ing)?|pick(?:ing)? (?:it|them) up|com(?:e|ing))\b`,
      before:
        /\b(?:charged?|fee|policy|if|penalty|complain\w*|what happens|someone|somebody|who|they|he|she|customers?|guests?|not|never|don'?t|without|(?:report|ask|find out|inquire)(?:ing|ed)? (?:about|if|whether|that|what))\b/,
    },
    {
      id: 'en-prank-classic',
      category: 'prank',
      pattern: pattern`\b(?:(?:is )?(?:your|the|their|his|her) (?:refrigerator|fridge) (?:is )?running\b.{0,30}(?:catch|$|\?|"|')|prince albert in a can|seymour butts|hugh jass|mike hunt\b|ben dover|amanda (?:hugg\w+|hug ?n ?kiss)
        |i\.? ?p\.? freely|jacques strap|deez nuts|ligma|joe mama|updog|al coholic|ivana tinkle|mike rotch|maya buttreeks|phil mccracken)`,
      before: /\b(?:repair|warm|broken|technician|service (?:call|visit|appointment)|landlord)\b/,
      after: /^.{0,40}\b(?:loud|warm|constantly|smoothly|again|repair|noise)/,
    },
    {
      id: 'en-prank-fake-emergency',
      stems: 'fak|fals|pretend|made|bogus|phony|non|invent',
      category: 'prank',
      pattern: pattern`\b(?:${SAY}|report(?:ing)?|call(?:ing)? in|phon(?:e|ing) in|mak(?:e|ing)(?: up)?|fake|faking|invent(?:ing)?|stag(?:e|ing)|with|about)(?: \w+){0,4} (?:a |an )?(?:fake|false|pretend|made[- ]up|bogus|phony|non-?existent)
        [ ](?:\w+ )?(?:emergency|emergencies|kidnapping|accident|arrest|death|fire|shooting|hostage\w*|murder|robbery|lottery|pregnancy|911 calls?|crime|attack|gas leak|alarm)\b
        |\b(?:fak(?:e|ing)|invent(?:ing)?) (?:a |an )(?:emergency|kidnapping|accident|arrest|death|fire|heart attack|murder|hostage)\b`,
      before: TOLD_OF,
      after: context`^(?:${AS_A_MATTER}| (?:fees?|fines?|company|system|permit|bill|invoice))`,
    },
    {
      id: 'en-prank-false-news',
      stems: 'pretend|false|lie|lying|believ|think|convinc|fool',
      category: 'prank',
      pattern: pattern`\b(?:falsely|pretend|lie|lying|make (?:him|her|them|\w+ \w+) (?:believe|think)|convince (?:him|her|them|\w+ \w+)|fool (?:him|her|them|\w+ \w+) into (?:thinking|believing))
        \b.{0,40}\b(?:won (?:the|a) (?:lottery|car|million|prize)|(?:he|she|they|house|car|wife|husband|son|daughter|mother|father|dog) (?:is|are|was|has|have|been|'s) (?:being )?(?:\w+ )?
        (?:fired|arrested|dead|died|dying|pregnant|kidnapped|haunted|on fire|evicted|hurt|stolen|cheating|deported)|ghosts?|aliens?|santa|dead|haunted|god|the devil|satan|celebrity|time travell?er)\b`,
      before: NOT,
    },
    {
      id: 'en-prank-voices',
      category: 'prank',
      pattern: pattern`\b(?:in|use|using|with|put on) (?:an? )?(?:silly|funny|creepy|scary|demonic|weird|ghostly|goofy) (?:voices?|accents?)\b|\b(?:talk|speak|answer) (?:only )?(?:in )?(?:gibberish|nonsense)\b
        |\b(?:say|saying|tell \w+|ask|shout) (?:\w+ )?(?:something|things|stuff|weird|random|crazy|strange|creepy|silly) (?:weird|random|crazy|stupid|silly|scary|creepy|strange|nonsense|things|stuff)\b|\b(?:call|dial|phone|ring) (?:\w+ ){0,2}?random (?:numbers?|strangers?|people|person)\b(?!.{0,60}\b(?:survey|poll|sample|interview))`,
      before: DENIED,
    },
    {
      id: 'en-prank-nothing-real',
      category: 'prank',
      pattern: pattern`\b(?:ask|order|request)(?:ing)?\b.{0,40}\b(?:absurd|ridiculous|stupid|nonsensical|silly|crazy|insane|bizarre) (?:questions?|things|orders?|requests?|items?|demands?)\b`,
      before: TOLD_OF,
    },
  ],
};
