// English rules: threats to somebody's safety, spoken or implied, bomb threats, false alarms that send the police, extortion.
import { AS_A_MATTER, DENIED, HUMAN, KEEP, NOT, SAY, order, TOLD_OF } from './english-words.ts';
import { context, part, pattern } from './rule.ts';
import type { RuleGroup } from './rule.ts';

const HARM = part`(?:kill|murder|shoot|stab|hurt|rape|strangle|poison|harm|assault|slaughter|torture|maim|smash|punch|slap|kidnap|abduct|behead|choke|drown
  |shank|cripple|assassinate|lynch|decapitate|beat (?:up|the \w+ out of)|run over|gun down|hunt down|come (?:for|after)|get rid of|take out|go after|finish off|set fire to|injure|mutilate|attack|burn|jump|dox)`;
const WILL = part`(?:will|'ll|'m going to|'re going to|'s going to|(?:am|are|is) (?:going to|about to|coming to|planning to)|gonna|wanna|want(?:s)? to|plan(?:s|ning)? to|intend(?:s)? to)`;
const EXTORT = '(?:blackmail|extort|shake down|coerce|intimidate)';
const PLACE = part`(?:house|home|school|office|building|shop|store|car|church|mosque|synagogue|temple|business|restaurant|place|apartment|clinic|hospital|airport|plane|station|mall|stadium|bank|courthouse|capitol|barn|garage|factory|warehouse|headquarters)`;
const BOMB = part`(?<!\b(?:bath|seed|cherry|chocolate|cocoa|bug|fizz|glitter|date|photo|stink|smoke|love|shower|jager|tea|fire|calorie|time|wwii|old|war|unexploded) )(?:bombs?|explosives?(?: devices?)?|pipe ?bombs?|ied|dynamite|anthrax|sarin|poison gas|nerve gas|grenades?)
  \b(?! (?:shelters?|squad|detect\w*|cyclone|disposal|museum|exhibit\w*|dogs?|pops?|threat|scare|hoax|tracker|residue|license|storage|permit))`;
const PESTS = part`(?:roach\w*|ants?|bugs?|weeds?|mouse|mice|rats?|termites?|pests?|plants?|wasps?|bees?|mold|germs?|virus\w*|bacteria|exterminat\w*|lice|fleas?|ticks?|moles?|gophers?|squirrels?|spiders?|snakes?|hornets?|herbicide|lawn|grass|photo\w*|portraits?|film\w*|video\w*|wedding|session|camera|studio|vaccine|surgery|procedure)`;

export const ENGLISH_THREATS: RuleGroup = {
  reading: 'latin',
  stems:
    'kill|murder|shoot|shot|stab|hurt|rape|strang|poison|harm|assault|slaughter|tortur|maim|smash|punch|slap|kidnap|abduct|behead|chok|drown|shank|gut |knife|crippl|assassin|lynch|decapit|beat|run over|gun|hunt|come for|come after|coming for|coming after|rid of|take out|go after|finish|fire|injur|mutilat|attack|burn|jump|dox|bury|threat|bomb|explo|ied|dynamite|anthrax|sarin|gas|grenade|swat|police|cops|know where|watch|back|regret|or else|sleep with|something bad|might happen|could happen|accident|ransom|blackmail|extort|die|dead|death|break|legs|kneecap|neck|bones|blow|torch|acid|shooter|gunman|hostage|pay up|lives|live|follow|end up|deserve|numbered|warrant|hospital|grave|nude|naked|intimate|sex tape|leak|visit|consequences|lesson|coerc|thug|goon|sorry|weapon|rifle|pistol|safe|coming|danger|menac|abusive|hateful|intimidat|daughter|son|child|wife|husband|mother|father|intimidat',
  rules: [
    {
      id: 'en-threat-will-harm',
      stems:
        'kill|murder|shoot|stab|hurt|rape|strangl|poison|harm|assault|slaughter|tortur|maim|smash|punch|slap|kidnap|abduct|behead|chok|drown|shank|crippl|assassin|lynch|decapit|beat|run over|gun|hunt|com(?:e|ing) (?:for|after)|get rid|take out|go after|finish|set fire|injur|mutilat|attack|burn|jump|dox',
      category: 'threat',
      pattern: pattern`\b(?:i|we|someone|somebody|he|she|they|you(?:'re| are)|you|(?:my|the|our|his|her) (?:\w+ )?(?:people|brothers?|guys|boys|friends?|gang|cartel|mob|crew|cousins?|dad|husband|man|men)|who)(?:'ll|(?:'m|'re|'s)? ${WILL}| is gonna| are gonna|'m gonna|'re gonna|(?:'m|'re|'s) (?:going|planning|about|coming) to)(?: \w+){0,2}? (?:fucking |fuckin |personally |just )?(?:${HARM} (?:${HUMAN})|beat (?:${HUMAN}) (?:up|to (?:a pulp|death)|senseless|badly))`,
      before: context`${DENIED.source}|\b(?:shot|vaccine|procedure|dose|drug|price|quote|the (?:surgery|treatment|laser|exam)|\w*proof|(?:does|will|would|if|whether) (?:it|this|that|the))\b|\b${PESTS}\b`,
      after: context`^(?: (?:an?|the|over|some|your|off|back) (?:e-?mail|text|message|quote|note|list|link)|.{0,40}\b${PESTS}\b| (?:in|on|at) (?:price|traffic|photos?)| (?:on|for) (?:the|a|lunch|dinner|coffee) ?(?:date|drinks?)?| on linkedin| up at| to (?:the|a) (?:movies|dinner|lunch)| the competition)`,
    },
    {
      id: 'en-threat-said-harm',
      stems:
        'kill|shot|shoot|stab|hurt|beat|rape|murder|attack|burn|harm|poison|kidnap|jumped|get what|die|end up|break|blow|torch|bomb|destroy|set fire|pay with|lose|explod|catch|go up|hospital|ground|grave|wheelchair|coma|morgue|gun|knife|weapon|rifle|pistol|machete|armed|bat',
      category: 'threat',
      pattern: pattern`\b${SAY}\b.{0,60}\b(?:${WILL}|should|deserves? to|better|must|about to|has to)\b.{0,20}\b(?:be (?:killed|shot|stabbed|hurt|beaten|raped|murdered|attacked|burned|harmed|kidnapped|poisoned)|get (?:killed|shot|stabbed|hurt|beaten|jumped|murdered|what'?s coming)|die|end up (?:dead|in (?:a|the) (?:hospital|ditch|grave|morgue))|break (?:his|her|your|their|both)? ?(?:\w+ )?(?:legs?|arms?|bones|necks?|kneecaps|fingers|jaw)
        |(?:burn|set fire to|blow up|torch|bomb|shoot up|destroy) (?:his|her|your|their|the|down|my) ?(?:\w+ )?(?:${PLACE})?|kill (?:him|her|them|you|everyone)|pay with (?:his|her|their|your) li(?:fe|ves)|lose (?:his|her|their|your) (?:life|fingers|kids|head))\b
        |\b(?:his|her|their|your) (?:\w+ )?${PLACE} (?:will|is going to|is gonna|might|could|may) (?:\w+ )?(?:burn|blow up|explode|be burned|catch fire|go up in flames|be (?:destroyed|shot up|torched))\b|\b(?:coming|come|going|go|drive|driving) (?:over|to|by)\b.{0,25}\bto ${HARM} ${HUMAN}|\bwill (?:shoot|kill|stab|bomb|attack|murder) (?:every(?:one|body)|them all|people|the (?:school|students|teachers|kids|class))\b|\bput(?:ting)? ${HUMAN} in (?:the |a )?(?:hospital|ground|grave|wheelchair|coma|morgue)\b
        |\b(?:i|we|someone|he|she|they)(?:'ve| have| has|'s| am| are|'m|'re)? (?:got |have |has |carry |holding )?an? (?:\w+ )?(?:gun|knife|weapon|rifle|pistol|machete)\b(?=.{0,40}\b(?:use|know|for|him|her|you|them|if|outside|afraid))|\b(?:i'?m|i am|we'?re|we are|someone is) (?:right )?(?:outside|at|near|in front of) (?:his|her|your|their) (?:house|home|door|apartment|school|work)\b.{0,30}\b(?:knife|gun|weapon|armed|bat)\b`,
      before: DENIED,
      after: context`^(?: (?:down|out|away|off|casting|cut)|.{0,40}\b(?:${PESTS}|battery|phone|tree)\b)`,
    },
    {
      id: 'en-threat-dead',
      stems: 'dead|numbered|warrant|bullet|slit|acid|kneecap|break',
      category: 'threat',
      pattern: pattern`\b(?:you(?:'re| are)|(?:he|she|they) (?:is|are)|he'?s|she'?s|they'?re) (?:(?:as good as|going to be|gonna be|a|fucking) )?dead (?:meat|m[ae]n|wom[ae]n|if|unless|when|tomorrow|soon|to me)?|\b(?:days are numbered|sign(?:ed|ing)? (?:his|her|your|their) (?:own )?death warrant|bullet (?:with (?:his|her|your|their) name|in (?:his|her|your|their) (?:head|skull|brain))|slit (?:his|her|your|their) throat|throw acid|kneecap (?:him|her|them|you)|break (?:his|her|your|their) (?:legs?|arms?|bones|necks?|kneecaps|fingers|jaw))\b`,
      before: context`${DENIED.source}|${SAY}.{0,20}\b(?:phone|battery|line|plant|account)|\b(?:phone|battery|batteries|car|plants?|line|trees?|lights?|passed away|surgery|accident|insurance|ski\w*|fell)\b`,
      after: /^ ?(?:and|serious|since|for|or alive|batter\w+|plants?|tired|to me)/,
    },
    {
      id: 'en-threat-verb',
      stems: 'threaten|menac|intimidat|abus|hate',
      category: 'threat',
      pattern: pattern`(?:${order('threaten')}|${KEEP}threatening) (?:to |with |that |violence|(?:${HUMAN}|his|her|their|the \w+))|\b(?:in|use|with) (?:a |an )?(?:threatening|menacing) (?:voice|tone|manner|language)\b|\b(?:leave|leaving|deliver|send|record|pass on|relay|make|read) (?:\w+ ){0,3}(?:threatening|menacing|intimidating|abusive|hateful) (?:voicemails?|messages?|texts?|notes?|statements?)\b`,
      before: TOLD_OF,
      after:
        /^.{0,20}\b(?:(?:to|with) (?:sue|cancel|leave|take|file|report|dispute|switch|small|legal|a (?:lawsuit|chargeback|complaint|review|dispute)|chargeback|contact|court|litigation|close|withdraw|going)|legal action|lawsuit|court|cancel\w*|species|plant)|^(?:sue|cancel|leave|take|file|report|dispute|switch|close|withdraw|contact|go )/,
    },
    {
      id: 'en-threat-made',
      category: 'threat',
      pattern: pattern`\b(?:bomb|death|terror(?:ist)?|shooting|school|murder|acid|arson|rape|anthrax)(?:[ -]?threats?|[ -]scares?|[ -]hoax(?:es)?)\b|\b(?:make|making|issue|issuing|deliver|delivering|leave|leaving|send|sending|give|relay|convey|utter|use|using|with) (?:an? |some |him |her |them |\w+ \w+ )?(?:\w+ )?(?:(?:veiled|violent|physical|credible|concrete|serious|anonymous|implied|subtle) )(?:threats?|intimidation)\b|\b(?:make|issue|deliver|utter|leave) (?:a )?threats?\b`,
      before: TOLD_OF,
      after: context`^(?:${AS_A_MATTER}|s? (?:assessment|level|modeling|intelligence|report))`,
    },
    {
      id: 'en-threat-bomb',
      stems: 'bomb|explosive|pipe|ied|dynamite|anthrax|sarin|poison|nerve|grenade|hostage|shoot|gunman',
      category: 'threat',
      pattern: pattern`\b(?:there(?:'s| is| are| will be|'re)|(?:i|we|they|he|she|someone|somebody|you)(?:'ve| have| has| had| will|'ll)? (?:just |already )?(?:planted|placed|put|hid|hidden|left|set|got|has|have|plant|detonate|strapped|wired)|planted|placed|hidden|with|has|have|about|set off|detonate|detonat(?:e|ing)|got)\b.{0,15}?\b${BOMB}
        (?=.{0,40}\b(?:in|at|under|inside|near|on|going|will|explode|go off|goes off|set to|building|school|strapped|about to|ready|evacuat\w*|minutes|if|unless)\b|[ ]?[.!'")]*$)
        |\b${BOMB}.{0,25}\b(?:will|is going to|going to|gonna|is about to|about to|is set to|set to)\b.{0,12}\b(?:go off|explode|detonate|blow)|\b${BOMB} (?:has|have|had|was|were|is|are) (?:just |already )?(?:been )?(?:placed|planted|hidden|left|put|set|in|under|inside)\b|\b(?:has|have|holding|took|taken|takes) (?:\w+ )?hostages?\b(?! (?:negotiat|training))|\b(?:there(?:'s| is)|report(?:ing)?)\b.{0,12}\b(?:an? )?(?:active shooter|gunman|hostage situation|mass shooting|shooter)\b`,
      before: context`${NOT.source}|\b(?:ask(?:s|ing)?(?: \w+){0,2} (?:about|if|whether|how|what|when)|museum|exhibit\w*|wwii|ww2|world war|unexploded|history|drill|training|policy|policies|plan|procedure|protocol|insurance|received|found|reported that|claim(?:ed|s) that|game|movie|recipe|menu|learn|review|film|documentary|book|novel)\b`,
      after:
        /^.{0,30}\b(?:drill|training|policy|procedure|protocol|exhibit|museum|history|preparedness|course|ordinance|insurance|movie|game)/,
    },
    {
      id: 'en-threat-place',
      category: 'threat',
      pattern: pattern`\b(?:shoot(?:ing)? up|blow(?:ing)? up|bomb(?:ing)?|burn(?:ing)?(?: down)?|torch(?:ing)?|set(?:ting)? fire to|attack(?:ing)?|burn(?:ing)? down) (?:his|her|their|your|the|that|this|my|our|\w+'s) (?:(?!bounce|inflatable|balloon|photo)[\w']+ ){0,2}?${PLACE}\b|\bburn (?:his|her|their|your|the) (?:\w+ ){0,2}${PLACE} (?:down|to the ground)`,
      before: context`${DENIED.source}|\b(?:balloons?|insurance|claim|almost|nearly|accident\w*|since|after|rebuil\w*|firefighters?|who|that|photo\w*|controlled|permit|heating|fireplace)\b`,
      after: /^ (?:investigation|memorial|victims|lights|candle|calls?|plan|number|down last)/,
    },
    {
      id: 'en-threat-veiled',
      stems:
        'know|watch|regret|sorry|pay|sleep|happen|or else|otherwise|unless|if|shame|pity|send|teach|safe|coming|danger|menac|abusive|hateful|intimidat|daughter|son|child|wife|husband|mother|father|intimidat',
      category: 'threat',
      pattern: pattern`\b(?:we|i|they) (?:all )?know (?:exactly )?where (?:you|he|she|they|your|his|her|their)\b.{0,30}\b(?:lives?|sleeps?|works?|kids?|child|children|family|school|house|parks?)\b|\bwatch (?:your|his|her|their) backs?\b|\b(?:you|he|she|they)(?:'ll| will) (?:regret (?:it|this)|be sorry|pay for (?:this|it|what))\b|\bsleep with one eye open\b|\b(?:i'?m|we'?re|i am|we are|someone is) (?:always )?watching (?:you|him|her|them|(?:his|her|your|their) (?:house|kids?|family|home))\b|\b(?:you|he|she|they)(?:'re| are| is|'s) not safe\b|\bin (?:\w+ )?danger (?:unless|if)\b|\b(?:i'?m|we'?re|i am|we are|someone is|they'?re) coming (?:for|after) (?:you|him|her|them)\b(?! (?:at|from|to|on|by|around|with|tomorrow|in) )
        |\b(?:something|bad things|terrible things|an accident|accidents) (?:bad |terrible |awful |ugly )?(?:will|might|could|may|can|is going to|are going to) (?:\w+ )?happen to (?:you|him|her|them|(?:your|his|her|their|the) (?:\w+ )?(?:family|kids?|children|wife|husband|dog|house|car|son|daughter|mother|parents|business|store|shop))\b
        |\b(?:or else|otherwise|unless|if (?:he|she|they|you) (?:do|does)(?: not|n'?t))\b.{0,50}\b(?:gets? hurt|be hurt|get killed|be killed|be burned|burn|lose (?:a|your|his|her) (?:finger|hand|ear|leg)|suffer the consequences|hurt (?:you|him|her|them|(?:his|her|your|their) \w+)|visit (?:his|her|your|their) (?:kids?|family|children|house|wife|mother))\b
        |\b(?:be a (?:shame|pity) if (?:something|anything))|\bsend (?:someone|somebody|some (?:guys|people|friends)|thugs|goons|men)\b.{0,20}\b(?:to hurt|to beat|to break|after (?:him|her|them|you)|to teach|to scare|(?:him|her|them|you) a lesson)\b|\bteach (?:him|her|them|\w+ \w+) a lesson (?:he|she|they)\b`,
      before: DENIED,
      after: /^.{0,25}\b(?:insurance|coverage|policy|warranty)/,
    },
    {
      id: 'en-threat-false-alarm',
      category: 'threat',
      pattern: pattern`(?:${order('swat')}|${KEEP}swatting) (?:him|her|them|my|this|that|his|their|an?|the)\b(?! (?:team|fl(?:y|ies)|mosquito\w*|vehicle|gear|bugs?|ball))|\bswatting (?:call|attack|him|her|them|my)\b|\bsend (?:in )?(?:the )?(?:swat(?: team)?|police|cops|fire (?:trucks?|department)|ambulances?|sheriff)\b.{0,50}\b(?:for no reason|as (?:a |an )?(?:joke|prank|revenge)|false|fake|to scare|even though|by (?:claiming|saying|reporting|pretending))
        |\b(?:falsely|fake|false|pretend to) (?:report|reporting|call 911|claim)\b.{0,60}\b(?:murder|shooting|hostage|bomb|abuse|kidnapp\w+|gun|drugs|crime|fire)\b|\bmake a (?:fake|false|bogus) (?:911|police|emergency)\b`,
      before: context`${TOLD_OF.source}|\bwelfare check\b`,
      after: context`^(?:${AS_A_MATTER})`,
    },
    {
      id: 'en-threat-ransom',
      category: 'threat',
      pattern: pattern`\b(?:we|i) (?:have|got|kidnapped|took|are holding|abducted) (?:your|his|her|their) (?:\w+ )?(?:son|daughter|child|children|kids?|wife|husband|mother|father|dog|cat|family)\b.{0,60}\b(?:pay|ransom|money|hurt|never see|alive|kill\w*|dollars|or else|\$)|\bdemand(?:ing)? (?:a )?(?:\w+ )?ransom\b|\bfor ransom\b`,
      before: DENIED,
      after: /^ (?:note|movie|insurance|ware)/,
    },
    {
      id: 'en-threat-extort',
      category: 'threat',
      pattern: pattern`(?:${order(EXTORT)}|${KEEP}${EXTORT}ing) (?:${HUMAN}|money|\$|his|her|their|the \w+)|\b(?:leak|release|publish|post|share|send out) (?:his|her|their|your|the) (?:\w+ )?(?:nudes?|naked (?:photos?|pictures?|pics)|intimate (?:photos?|pictures?|videos?)|sex (?:tape|video)s?|home address)\b`,
      before: TOLD_OF,
    },
    {
      id: 'en-threat-verbless',
      category: 'threat',
      pattern: pattern`\b(?:kill|murder|stab|strangle|rape|behead|assassinate) (?:him|her|them all|everyone|(?:my|his|her|their|the) (?:\w+ )?(?:ex|boss|wife|husband|neighbou?r|family|kids?|teacher|judge|witness|president))\b|\bhit ?man\b.{0,30}\b(?:for|to|my|price|job)\b|\b(?:hire|find|order|arrange|get) (?:\w+ )?(?:hit ?man|contract killer|assassin|someone to (?:kill|murder|hurt|beat))\b`,
      before: DENIED,
      after: /^ (?:with kindness|at (?:chess|golf|tennis)|mystery|dinner|in (?:the game|rehearsal|act))/,
    },
  ],
};
