// English rules. A word alone blocks nothing: what is looked for is the wish to do it to somebody in this call.
import type { Rule } from './rule.ts';

/** Somebody speaks of such a thing as its victim, its witness, or its vendor. */
const REPORTED =
  /\b(?:report(?:s|ed|ing)?|complain\w*|complaint|victim|received?|receiving|getting|got|gets|stop(?:s|ped)? (?:the|these|those|receiving|getting)|block(?:ing)?|prevent\w*|protect\w*|against|investigat\w*|ask(?:ing)? (?:about|if|whether)|sorry (?:for|about)|apologi[sz]e\w*|not (?:a|an) |isn'?t (?:a|an) |no (?:more )?|never|avoid\w*|without|after (?:a|the)|police report|insurance|shop|store|stock|toys?|products?|gag gifts?|movie|film|show|book|novel|game|play called|channel|podcast|band|restaurant|bar|policy|training|awareness|seminar|hotline|support group|lawyer|attorney|charges?)\b/;
const STRICT =
  /\b(?:report(?:s|ed|ing)?|complain\w*|complaint|victim|received?|police|lawyer|attorney|investigat\w*|restraining order|protective order|safety plan|shelter)\b/;
const THEM =
  '(?:him|her|them|my|our|his|their|the|a|an|this|that|some|someone|somebody|anyone|people|random|strangers?|you|whoever|everyone|old|an? old)';
const SAY =
  '(?:tell(?:ing)?|say(?:ing)?|announce|claim(?:ing)?|inform(?:ing)?|warn(?:ing)?|let (?:him|her|them) know|pretend(?:ing)?|shout(?:ing)?|scream(?:ing)?|threaten(?:ing)?)';

const rule = (id: string, category: Rule['category'], pattern: RegExp, unless?: RegExp): Rule => ({
  id: `en-${id}`,
  category,
  pattern,
  reading: 'latin',
  ...(unless === undefined ? {} : { unless }),
});
const source = (text: TemplateStringsArray, ...parts: string[]): RegExp => new RegExp(String.raw(text, ...parts));

export const ENGLISH: readonly Rule[] = [
  rule('prank-verb', 'prank', source`\b(?:prank|prank-?call|prank-?dial|crank-?call)(?:ing)? ${THEM}\b`, REPORTED),
  rule(
    'prank-name',
    'prank',
    /^\W*(?:please )?(?:prank|crank)(?:[ -]?(?:call|dial|phone))?\b(?! (?:toys?|shop|store|gift|video|department))/,
    REPORTED,
  ),
  rule(
    'prank-noun',
    'prank',
    /\b(?:make|do|place|play|pull|perform|conduct|run|be|is|as|for|just|want|give|execute|commit|record(?:ing)?|it'?s)\b.{0,30}\b(?:a |an |some |little |funny |harmless |good |quick |silly |practical )*(?:prank|hoax|crank)(?: (?:phone )?calls?)?\b/,
    REPORTED,
  ),
  rule(
    'prank-joke',
    'prank',
    /\b(?:play|pull|do) (?:a |some )?(?:practical |mean |cruel |nasty |funny |little )*(?:joke|trick)s? on\b/,
    REPORTED,
  ),
  rule(
    'prank-fake-order',
    'prank',
    /\border\b.{0,40}\b(?:pizzas?|food|taxis?|cabs?|flowers|deliver(?:y|ies))\b.{0,60}\b(?:as a joke|for fun|for laughs|lol|never pick(?:ing)? (?:it |them )?up|won'?t (?:pay|pick)|did ?n[o']?t order|to (?:his|her|their) (?:house|address) (?:as|for) (?:a )?(?:joke|revenge))\b/,
    /\breport|complain/,
  ),
  rule(
    'prank-for-laughs',
    'prank',
    /\b(?:call|phone|ring|ask|tell|wake|scare|trick|fool)\b.{0,80}\b(?:for (?:the )?(?:lulz|lols?|laughs|giggles|kicks|a laugh)|just for fun|to mess with|as a (?:joke|gag|prank)|to freak (?:him|her|them) out|to (?:fool|troll|punk) (?:him|her|them|my|the))\b/,
    REPORTED,
  ),
  rule(
    'prank-refrigerator',
    'prank',
    /\bis your refrigerator running\b|\bdo you have prince albert in a can\b|\bask for (?:seymour butts|hugh jass|mike hunt|ben dover|amanda hugginkiss|i\.? ?p\.? freely|jacques strap)\b/,
  ),
  rule(
    'prank-fake-emergency',
    'prank',
    /\b(?:fake|false|pretend|made[- ]up|bogus|hoax)\b.{0,30}\b(?:emergency|kidnapping|accident|arrest|death|lottery win|pregnancy|911 call|alarm)\b/,
    /\b(?:report|alarm (?:system|company|fee|fine|charge|bill|permit)|false alarm (?:fee|fine|charge|invoice|bill|policy)|detect\w*|training|drill|received?)\b/,
  ),
  rule(
    'swatting',
    'threat',
    /\bswat(?:ting|ted)? (?:him|her|them|my|this|that|the|a|his)\b(?! (?:team|fl(?:y|ies)|mosquito|vehicle|gear))|\bsend (?:the )?(?:swat|police|cops)\b.{0,40}\b(?:for no reason|as a (?:joke|prank)|false|fake|to scare|to (?:his|her|their) house by)\b/,
    STRICT,
  ),

  rule(
    'nuisance-hang-up',
    'nuisance',
    /\b(?:call|ring|dial|phone)(?:s|ing)?\b.{0,40}\b(?:and|then|,) (?:then )?(?:immediately |just |quickly )?(?:hang(?:s|ing)? up|say nothing|stay silent|breathe|don'?t (?:say|speak))\b/,
    /\b(?:if (?:nobody|no one|it'?s|they|the|voicemail|a machine|you|there)|when|after|once|unless|they (?:call|hang)|someone (?:keeps|is)|keeps? (?:calling|hanging)|complain\w*|report\w*|says? goodbye|thank)\b/,
  ),
  rule(
    'nuisance-repeat',
    'nuisance',
    /\b(?:keep|continue|start|go on) (?:on )?(?:calling|ringing|phoning|dialing|dialling)\b.{0,60}\b(?:until (?:he|she|they) (?:crack|cr(?:y|ies)|give|snap|go|break|can'?t)|all (?:night|day)|non-?stop|every (?:\w+ )?(?:minute|seconds?|hour)s?|over and over|again and again|to (?:annoy|bother|irritate|drive|wake|punish))\b/,
    /\b(?:stop|they|someone|who)\b.{0,20}\bkeep|\bcomplain|\breport/,
  ),
  rule(
    'nuisance-every',
    'nuisance',
    /\b(?:call|ring|phone|dial) (?:him|her|them|this|the|that|my|his)\b.{0,40}\b(?:(?:100|a hundred|1000|a thousand|fifty|50|dozens? of|hundreds? of|thousands? of) times|every (?:few |\d+ |five |ten |two )?(?:minutes?|seconds?)|all night(?: long)?|non-?stop|relentlessly|repeatedly (?:to|so|until))\b/,
    /\bcomplain|\breport/,
  ),
  rule(
    'nuisance-annoy',
    'nuisance',
    /\b(?:annoy|irritate|pester|bother|bug|aggravate|torment|spam|drive .{0,20} (?:crazy|mad|insane|nuts|up the wall)|waste (?:his|her|their|the|as much of (?:his|her|their)) (?:\w+ )?time|tie up (?:his|her|their|the) (?:phone )?lines?|jam (?:his|her|their|the) (?:phone )?lines?|clog (?:up )?(?:his|her|their|the) (?:phone )?lines?|flood (?:his|her|their|the) (?:phone )?lines?|keep .{0,20} awake)\b(?= |$|\W)(?!.{0,12}(?:fee|filter|folder|policy|bite|spray))/,
    /\b(?:do(?:es)? ?n[o']t want to|without|not to|no need to|sorry (?:to|for)|hate to|hope (?:i'?m|it'?s|this|we)|is it|are|was|were|been|being|bed bugs?|what is|what'?s|noise|neighbou?r|complain\w*|report\w*|never|anything|if it|does it|would it|spam (?:calls?|filter|folder|e?-?mail|protection|blocker|sandwich|musubi))\b/,
  ),
  rule(
    'nuisance-sounds',
    'nuisance',
    /\b(?:breathe heavily|heavy breathing|moan(?:ing)? into the phone|make (?:weird|creepy|scary|fart|animal|loud) (?:noises|sounds)|blast (?:music|noise|an air ?horn)|play (?:loud|creepy|scary|annoying) (?:music|noise|sounds))\b/,
    /\b(?:report|complain\w*|symptom|patient|breathing (?:problem|trouble)|dog|cat|my|car|engine|machine|washing|appliance|fridge|furnace)\b/,
  ),
  rule(
    'nuisance-wake',
    'nuisance',
    /\bwake (?:him|her|them|my \w+|the \w+|everyone)(?: up)?\b.{0,50}\b(?:middle of the night|at (?:2|3|4|two|three|four) ?(?:am|a\.m\.|in the morning)|for (?:fun|no reason)|to (?:annoy|punish|bother))\b/,
    /\b(?:flight|airport|wake-?up call|alarm|medication|medicine|asked (?:us|me|for)|nurse)\b/,
  ),

  rule(
    'threat-kill',
    'threat',
    source`\b${SAY}\b.{0,60}\b(?:(?:i|we|you|he|she|they)(?: wi|')?ll|(?:i|we) am|i'?m|we'?re|(?:is|are|am) going to|gonna|going to|will|about to)\b.{0,20}\b(?:kill|murder|shoot|stab|hurt|beat|rape|strangle|poison|harm|attack|burn (?:down)?|bomb|blow up|break (?:his|her|your|their) (?:legs?|arms?|bones|neck|kneecaps)|come (?:for|after) (?:him|her|them|you)|die\b(?! (?:down|out|away|off)))`,
    /\b(?:battery|hair|tree|plant|frost|pest|weed|roach|bug|mold|mould|screw|die casting|kill (?:the|my|our) (?:subscription|account|order|service|engine|power|line)|shoot (?:the|a|some|our|photos?|video|portraits?)|shoot you (?:a|an|the) (?:e-?mail|text|message|quote)|beat (?:the|any|that|their|your) (?:price|quote|offer|deadline|traffic|rush))\b/,
  ),
  rule(
    'threat-direct',
    'threat',
    /\bthreaten(?:ing)?\b.{0,20}\b(?:him|her|them|to (?:kill|hurt|harm|shoot|burn|beat|attack|expose|leak|bomb)|my (?:ex|boss|neighbou?r|wife|husband|landlord|tenant|teacher|coworker|colleague)|the (?:owner|judge|witness|teacher|manager|victim|clerk|jury|school|family)|his|their|someone|this (?:person|man|woman)|violence)\b/,
    STRICT,
  ),
  rule(
    'threat-bomb',
    'threat',
    /\b(?:call|phone|make|issue|deliver|leave)\b.{0,20}\b(?:in )?(?:a )?bomb (?:threat|scare|hoax)|\b(?:there'?s|there is|there will be|planted|placed|put|hidden|has|have|with)\b.{0,15}\b(?:a )?(?:bomb|explosives?|pipe ?bomb|ied)\b.{0,40}\b(?:in|at|under|inside|near|going|will|explode|go off)\b/,
    /\b(?:report\w*|received?|bath ?bombs?|cherry|seed bombs?|photo ?bomb|policy|drill|procedure|museum|exhibit|wwii|ww2|world war|unexploded|disposal|squad|history|found)\b/,
  ),
  rule(
    'threat-explode',
    'threat',
    source`\b${SAY}\b.{0,50}\b(?:a )?bomb\b.{0,30}\b(?:will|going to|gonna|about to|is)\b.{0,20}\b(?:go off|explode|detonate|in the (?:building|school|office|store|plane|airport|hospital))`,
    STRICT,
  ),
  rule(
    'threat-home',
    'threat',
    /\b(?:we|i|they) know where (?:you|he|she|they|your|his|her|their)\b.{0,30}\b(?:lives?|sleeps?|works?|kids?|children|family|school|house)\b|\b(?:watch (?:your|his|her|their) back|you'?ll regret it if|or else (?:your|his|her|their|you|he|she)\b.{0,30}\b(?:gets?|be) (?:hurt|killed|burned)|sleep with one eye open|something (?:bad )?(?:will|might|could) happen to (?:your|his|her|their) (?:family|kids?|children|wife|husband|dog|house|car))\b/,
    STRICT,
  ),
  rule(
    'threat-burn',
    'threat',
    /\b(?:burn(?:ing)? down|set fire to|blow(?:ing)? up|shoot(?:ing)? up)\b.{0,20}\b(?:his|her|their|your|the|that|this|my)\b.{0,20}\b(?:house|home|school|office|building|shop|store|car|church|mosque|synagogue|business|restaurant|place)\b/,
    /\b(?:report\w*|insurance|claim|fire department|almost|nearly|accident\w*|after|since|rebuil\w*|balloons?|stop\w*|prevent\w*|safety|history|investigat\w*)\b/,
  ),
  rule(
    'threat-ransom',
    'threat',
    /\b(?:we|i) (?:have|got|kidnapped|took) (?:your|his|her|their) (?:son|daughter|child|children|kids?|wife|husband|mother|father|dog|cat)\b.{0,60}\b(?:pay|ransom|money|hurt|never see|alive|kill)\b|\bdemand(?:ing)? (?:a )?ransom\b/,
    STRICT,
  ),
  rule(
    'threat-extort',
    'threat',
    /\b(?:blackmail|extort)(?:ing)? (?:him|her|them|my|the|his|this|our|someone|money)\b/,
    STRICT,
  ),

  rule(
    'harass-verb',
    'harassment',
    /\b(?:harass|stalk|bully|intimidate|terrori[sz]e|humiliate|torment|menace)(?:ing)? (?:him|her|them|my (?:ex|boss|neighbou?r|wife|husband|landlord|tenant|teacher|coworker|colleague|classmate|roommate|sister|brother)|the (?:owner|witness|teacher|manager|victim|clerk|girl|guy|woman|man|family)|his|their|this|that|someone|until)\b/,
    STRICT,
  ),
  rule(
    'harass-insult',
    'harassment',
    /\b(?:insult|swear at|curse (?:at|out)|yell (?:at|obscenities)|scream (?:at|insults)|mock|verbally abuse|verbally attack|call (?:him|her|them) (?:a |an )?(?:bitch|whore|slut|idiot|moron|pig|loser|cunt|asshole|fat|ugly|retard))\b/,
    /\b(?:report\w*|complain\w*|was|were|been|employee who|staff (?:who|member)|waiter|apologi[sz]e\w*|mock (?:exam|interview|trial|test|up|draft))\b/,
  ),
  rule(
    'harass-sexual',
    'harassment',
    /\b(?:talk dirty|dirty talk|phone sex|obscene (?:call|things|message)|sexual (?:remarks|comments|things)|describe sex\w*|ask (?:him|her|them)? ?what (?:he|she|they)(?:'s| is| are|'re) wearing)\b/,
    /\b(?:report\w*|complain\w*|received?|hotline|therapist|dress code|training|policy)\b/,
  ),
  rule(
    'harass-suicide',
    'harassment',
    source`\b${SAY}\b.{0,40}\b(?:to )?(?:kill (?:himself|herself|themselves|themself|yourself)|commit suicide|(?:should|deserves? to|must|will) die|end (?:his|her|their|your) (?:own )?life|no ?one (?:loves|would miss) (?:him|her|them|you))`,
    /\b(?:report\w*|hotline|crisis|counsel\w*|prevent\w*|worried|concern\w*|welfare check|wellness check|doctor)\b/,
  ),

  rule(
    'scam-credentials',
    'scam',
    /\b(?:get|obtain|trick|convince|ask|make|talk|persuade|have)\b.{0,50}\b(?:to )?(?:(?:give|tell|reveal|hand over|share|read|disclose)(?: me| us)? )?(?:his|her|their|your|the)?.{0,12}\b(?:card pin|pin (?:code|number)|cvv|one[- ]time (?:code|password)|otp|bank password|online banking (?:password|login)|social security number|ssn|credit card (?:number|details)|verification code|sms code)\b/,
    /\b(?:lost|reset|my (?:card|pin|own)|replacement|how (?:do|can|to)|change|forgot\w*|is (?:a|the) pin|do (?:you|they) (?:need|require|accept)|deliver\w*|on file|update (?:my|the|our))\b/,
  ),
  rule(
    'scam-impersonate',
    'scam',
    /\b(?:pretend(?:ing)?|pose|posing|claim(?:ing)?|impersonat(?:e|ing)|act(?:ing)?)\b.{0,20}\b(?:to be|as|like|you(?:'re| are)|you(?:'re| are) from|from|that you(?:'re| are))? ?.{0,15}\b(?:irs|the police|a police|police officer|cop|fbi|the bank|(?:his|her|their) bank|microsoft|tech support|social security|medicare|immigration|ice agent|tax office|grandson|grandchild|grandkid|(?:his|her|their) (?:son|daughter|grandson|doctor|lawyer|boss)|customs|amazon support)\b/,
    /\b(?:report\w*|someone (?:is |who |was )?|scam\w*|warn\w*|complain\w*|not |received?)\b/,
  ),
  rule(
    'scam-gift-cards',
    'scam',
    /\b(?:buy|purchase|pay|send|get)\b.{0,40}\b(?:gift cards?|itunes cards?|google play cards?|bitcoin|wire transfer)\b.{0,60}\b(?:read|tell|give|or (?:be|get|face)|arrest\w*|warrant|bail|fine|taxes owed|the (?:numbers|codes) on)\b/,
    /\b(?:report\w*|scam\w*|warn\w*|victim|refund)\b/,
  ),
];
