// English rules: nuisance. Ringing and hanging up, silence, ringing again and again, wearing somebody down, blocking a line.
import { AS_A_MATTER, BUSINESS, DENIED, HUMAN, KEEP, NOT, order, TOLD_OF } from './english-words.ts';
import { context, part, pattern } from './rule.ts';
import type { RuleGroup } from './rule.ts';

const CALL = `(?:call|ring|dial|phone|telephone|redial|buzz)(?:s|ing|l?ling)?(?! (?:me|us)\\b)`;
/** A gap in which nothing turns the sentence into a question or a condition. */
const AND_ONLY = part`(?:(?!\b(?:if|when|unless|until(?! (?:he|she|they|someone|somebody|\w+ \w+) (?:says?|answers?|picks?))|before|ask|asks|confirm|thank|politely|book|check|find|whether|about|that|who|which
  |voicemail|machine|open|runs?|how|leave|line to)\b).)`;
const JAM = part`(?:tie|tying|jam|clog|flood|block|overwhelm|overload|swamp|bombard|blow|spam|saturate|hog|occupy|busy|choke)(?:ing|ming|ging)?`;
const WORN_DOWN = part`(?:crack\w*|cr(?:y|ies|ying)|giv(?:e|es) (?:up|in)|snaps?|go(?:es)? (?:crazy|mad|insane|nuts)|breaks?(?: down)?
  |can'?t|cannot|los(?:e|es) (?:it|his|her|their)|begs?|blocks?|chang(?:e|es) (?:his|her|their)|unplugs?|turns? (?:\w+ ){0,3}off|screams?|yells?
  |pays?|apologi[sz]\w+|regrets?|moves? (?:out|away)|explodes?|freaks?|gets? (?:angry|mad|fired|annoyed|upset|sick)|hates?|suffers?
  |cav(?:e|es)|quits?|pulls? the plug|collapse\w*|misses? sleep|agree[sd]?)`;

export const ENGLISH_NUISANCE: RuleGroup = {
  reading: 'latin',
  stems:
    'hang|drop the|end the call|cut |silent|silence|nothing|quiet|breath|moan|noise|sound|music|horn|wake|awake|sleep|night|minute|second|times|non-?stop|clock|relentless|repeated|over and over|again|back[ -]to[ -]back|until|till|annoy|irritat|pester|bother|bug|aggravat|spam|badger|hound|nag|disturb|provok|antagoni|taunt|teas|heckl|hassl|crazy|insane|nuts|mad|up the wall|waste|wasting|tie up|tying up|jam|clog|flood|overwhelm|overload|blow|bombard|without saying|say a word|miserable|nuisance|hell|peace|harass|ding|tying|tie |inconvenien|ruin|vex|upset|constant|continu|incessant|calling|ringing|phoning|dialing|piss|tick|busy|engaged|occupied|even (?:if|though)|no matter|scream|intent|prank|troll',
  rules: [
    {
      id: 'en-nuisance-word',
      category: 'nuisance',
      pattern: pattern`\b(?:nuisance|annoyance|silent|hang[- ]?up|harass\w+|abusive|obscene|dirty|heavy[- ]breathing|threatening|robo) (?:phone )?(?:calls?|calling)\b|\bbe (?:an? )?(?:complete |total |real )?nuisance\b
        |\b(?:purpose|goal|intent|type|kind|category|objective|tone|reason|plan|mode|style)\b(?: of (?:the|this) call)?(?: is|:| =)? (?:pure |just |an? |to be (?:a )?)?(?:prank|nuisance|harassment|annoyance|intimidation|trolling|scam)\b`,
      before: TOLD_OF,
      after: context`^(?:${AS_A_MATTER})|^ (?:or|and) (?:text|message|email|visit)|^ (?:bureau|unit|department|desk|line|center|act|law|statute)`,
    },
    {
      id: 'en-nuisance-hang-up',
      stems: 'hang|disconnect|drop|end|cut',
      category: 'nuisance',
      pattern: pattern`\b${CALL}\b${AND_ONLY}{0,50}\b(?:hang(?:ing)?[ -]?up|disconnect(?:ing)?)\b`,
      before: context`${TOLD_OF.source}|\b(?:end|finish|customers?|clients?)\b`,
      after:
        /^ (?:on (?:me|us)|if|politely|when (?:you|they) (?:are |have )?(?:done|finished)|when (?:finished|done|it is|it's|a|the)|unless|only|once (?:you|the|all)|after (?:you|confirming|they|thanking|getting|the|leaving|receiving|hearing))\b/,
    },
    {
      id: 'en-nuisance-hang-up-on-answer',
      stems: 'hang|disconnect|drop|end|cut',
      category: 'nuisance',
      pattern: pattern`\b(?:hang(?:ing)?[ -]?up|disconnect|(?:drop|end|cut) the (?:call|line)|cut off)(?: \w+){0,2} (?:as soon as|the (?:moment|second|instant)|whenever|when|once|every time|each time|right (?:after|when|as)|immediately (?:after|when)|after)
        [ ](?:\w+ ){1,3}(?:answers?(?! (?:the|all|your|my|our|yes|no|that|both|any))|picks? up|connects?|says? (?:hello|hi|anything|hey)|hello)\b
        |\b(?:as soon as|the (?:moment|second|instant)|whenever|when|once|every time|each time) (?:he|she|they|someone|anyone|anybody|somebody|\w+ \w+) (?:answers?|picks? up|says? (?:hello|hi|anything|hey))\b.{0,12}\bhang up\b`,
      before: context`${NOT.source}|\b(?:if|voicemail|machine|robot|recording)\b`,
      after: /^.{0,25}\b(?:voicemail|machine|recording|menu|robot)\b/,
    },
    {
      id: 'en-nuisance-silence',
      stems: 'nothing|silen|quiet|breath|say|speak|talk',
      category: 'nuisance',
      pattern: pattern`\b(?:${CALL}|answers?|picks? up|pick up|line)\b.{0,60}\b(?:say(?:ing)? (?:absolutely )?nothing|(?:stay|staying|remain|keep|be) (?:\w+ly )?(?:silent|quiet)|don'?t (?:say|speak|talk)(?: anything| a word| at all)?
        |without (?:saying|speaking)(?: anything| a word)?|breath(?:e|ing) (?:heavily|loudly|into|hard)|just (?:breathe|listen to (?:him|her|them) breathe)|no talking|only breath(?:e|ing)|just breathing|(?:sit|wait|stay) (?:there )?in silence|dead silence)
        (?= ?$|[ ]?[.,;!?)]|[ ](?:so|until|for|and|then|at all|into|when|while (?:he|she|they)|just)\b)
        |\b(?:say(?:ing)? (?:absolutely )?nothing|(?:stay|remain|keep) (?:\w+ly )?silent|breathe (?:heavily|loudly))(?: \w+){0,3} (?:when|after|once|as soon as) (?:he|she|they|someone|somebody) (?:answers?|picks? up)`,
      before: context`${TOLD_OF.source}|\b(?:hold|menu|music|prompts?|recording|patient|asthma|symptoms?)\b`,
      after: /^.{0,20}\b(?:hold|menu|music|recording|announcement|greeting|symptom)/,
    },
    {
      id: 'en-nuisance-until-worn-down',
      stems: 'till?|until',
      category: 'nuisance',
      pattern: pattern`\b(?:call\w*|ring\w*|phon(?:e|ing)|dial\w*|redial\w*|bother\w*|text(?:ing)?|at it|going|asking)\b.{0,50}\b(?:un)?till? (?:he|she|they|it|the \w+|my \w+|his \w+|her \w+|their \w+|someone|somebody|\w+)
        (?:'s)? (?:finally |eventually |just |has to |have to |had to |is |are )?(?:${WORN_DOWN}|crying|begging|in tears|sick of|going (?:crazy|mad)|blocked|fired|awake|out of)\b`,
      before: DENIED,
    },
    {
      id: 'en-nuisance-keep-calling',
      category: 'nuisance',
      pattern: pattern`\b(?:keep|continue|start|go on|don'?t stop|never stop|don'?t quit) (?:on )?(?:calling|ringing|phoning|dialing|dialling|redialing|bothering)\b.{0,60}\b(?:all (?:night|day|week|weekend|evening|morning)|non-?stop|every (?:\w+ )?(?:minutes?|seconds?|hours?)|over and over
        |again and again|day and night|to (?:annoy|bother|irritate|drive|wake|punish|make (?:him|her|them))|even (?:if|though|when|after) (?:he|she|they)|no matter (?:what|how)|while (?:he|she|they))\b`,
      before: TOLD_OF,
    },
    {
      id: 'en-nuisance-times',
      category: 'nuisance',
      pattern: pattern`\b${CALL}\b${AND_ONLY}{0,60}?\b(?:(?:\d{2,}|twenty|thirty|forty|fifty|sixty|a hundred|one hundred|a thousand|a million|dozens? of|hundreds? of|thousands? of|a bunch of|countless|a dozen|a zillion) times
        |(?:ten|\d+) times (?:in a row|an hour|a minute|tonight|per hour|every hour|every night)|every (?:few |single |other |\d+ |one |two |three |five |ten |fifteen |half )?(?:minutes?|mins?|seconds?|secs?|hour)(?! until (?:you|someone|the line|we|it|a person))
        |(?:all|every|through the|throughout the|each) night(?: long)?|all day(?: long| and)|non-?stop|around the clock|day and night|night and day|relentlessly|continuously|constantly|incessantly|back[ -]to[ -]back|over and over|again and again|repeatedly (?:to|so|until|all|at|throughout|and|in the))\b`,
      before: TOLD_OF,
      after: /^ (?:pharmacy|diner|clinic|service|support|line|restaurant|desk|gym|store|vet|care|flights?|bus|trains?)/,
    },
    {
      id: 'en-nuisance-annoy',
      stems:
        'annoy|irritat|pester|bother|bug|aggravat|spam|badger|hound|nag|disturb|provok|antagoni|taunt|teas|heckl|hassl|harry|vex|upset|piss|tick|inconvenien|robo|bombard|exasperat|infuriat|enrag',
      category: 'nuisance',
      pattern: pattern`(?:${order(part`(?:annoy|irritate|pester|bother|bug|aggravate|spam|badger|hound|nag|disturb|provoke|antagoni[sz]e|taunt|tease|heckle|hassle|harry|vex|upset|piss off|tick off|inconvenience|robo-?call|bombard|exasperate|infuriate|enrage)`)}
        |${KEEP}(?:annoying|irritating|pestering|bothering|bugging|aggravating|spamming|badgering|hounding|nagging|disturbing|provoking|antagoni[sz]ing|taunting|teasing|hassling|bombarding|upsetting|pissing off))
        [ ](?:the (?:hell|crap|shit|heck|life) out of )?(?:${HUMAN}|${BUSINESS})`,
      before: context`${TOLD_OF.source}|\b(?:hate|hope|want|wish|mean|need|wants|like)(?:ed|ing)? (?:not )?to $|\b(?:does|do|did|would|will|if|could|can|might|may) (?:it|this|that|the \w+|these|they|we|i) (?:\w+ )?$|\bthings? that\b|\bif i may $`,
      after: /^ (?:about|with (?:this|a|another)) (?:this|that|a|an?other)? ?(?:quick|question)/,
    },
    {
      id: 'en-nuisance-drive-mad',
      stems: 'crazy|mad|insane|nuts|bananas|up the wall|miserable|life|angry|furious|round|ruin',
      category: 'nuisance',
      pattern: pattern`\b(?:driv(?:e|ing)|mak(?:e|ing)|send(?:ing)?) (?:\w+ ){1,4}?(?:crazy|mad|insane|nuts|bananas|up the wall|miserable|life (?:hell|miserable|a living hell)|angry|furious|round the bend)\b|\bruin(?:ing)? (?:his|her|their|my \w+'s) (?:\w+ )?(?:day|night|life|weekend|evening|wedding|birthday|sleep)\b`,
      before: context`${TOLD_OF.source}|\b(?:noise|sound|barking|construction|itch\w*|smell|would|will|it|this|that|don'?t|might|could)\b|\b(?:is|are|was|were|been) $`,
    },
    {
      id: 'en-nuisance-waste-time',
      category: 'nuisance',
      pattern: pattern`\bwast(?:e|ing) (?:(?:as much|all|a lot|some|hours|much|most) of )?(?:(?:his|her|their|the \w+(?:'s|s')|\w+'s|telemarketers?'?|scammers?'?|people'?s) )(?:\w+ )?(?:time|day|afternoon|resources)\b`,
      before: context`${NOT.source}|\b(?:sorry|apolog\w+|hate to|hope|don'?t)\b`,
    },
    {
      id: 'en-nuisance-block-line',
      stems:
        't(?:ie|ying)|jam|clog|flood|block|overwhelm|overload|swamp|bombard|blow|spam|saturat|hog|occup|busy|chok|engaged',
      category: 'nuisance',
      pattern: pattern`(?:${order(JAM)}|${KEEP}${JAM})(?: up| out)? (?:\w+ )?(?:his|her|their|the|its|that|this|\w+'s|all|every) (?:[\w']+ ){0,3}?(?:phones?|lines?|switchboards?|voicemails?|call cent(?:er|re)s?|hotlines?|phone (?:lines?|system)|support (?:line|queue)|inbox)\b|\bkeep(?:ing)? (?:his|her|their|the|its) (?:[\w']+ ){0,3}?(?:lines?|phones?) (?:busy|engaged|occupied|tied up|blocked)\b`,
      before: context`${NOT.source}|\b(?:sewer|drain|kitchen|water|gas|fuel|main|toilet|how|prevent\w*|stop\w*|someone|somebody|who|pests?)\b`,
      after: /^ (?:drain|sewer|dance|edit|of credit)\b/,
    },
    {
      id: 'en-nuisance-sounds',
      category: 'nuisance',
      pattern: pattern`\b(?:heavy breathing|(?:moan|groan|pant|bark|meow|burp|fart|scream|giggle|laugh|howl|growl|sing|shriek|grunt)(?:ing)? (?:\w+ )?(?:into|down|through) the (?:phone|receiver|line|mouthpiece)
        |mak(?:e|ing) (?:as much |a lot of |lots of |loud )noises?(?: as (?:possible|you can))?(?=.{0,12}\b(?:when|as soon|until|into|on the phone))|mak(?:e|ing) (?:\w+ )?(?:weird|creepy|scary|farting|fart|animal|loud|strange|annoying|chicken|sex|rude|monkey|disgusting|obscene|stupid) (?:noises?|sounds?)|(?:blast|play)(?:ing)? (?:\w+ )?(?:loud|creepy|scary|annoying|an? air ?horn|air ?horn|siren|music|noise|screams?|sounds?|moaning)(?: \w+)?
        [ ](?:into|down|through|over|at (?:him|her|them)|when|until|noises?|sounds?|as soon|the moment))\b`,
      before: context`${TOLD_OF.source}|\b(?:dog|cat|car|engine|machine|washer|appliance|fridge|furnace|furby|toy|band|dj|it|that|neighbou?rs?|upstairs)\b`,
    },
    {
      id: 'en-nuisance-wake',
      stems: 'wak|awake|sleep|rest|peace|up all night',
      category: 'nuisance',
      pattern: pattern`(?:${order('wake')}|${KEEP}waking) (?:${HUMAN}|the \w+)(?: up)?\b.{0,50}\b(?:middle of the night|(?:at )?(?:1|2|3|4|one|two|three|four) ?(?:am|a\.m\.|in the morning)|for (?:no reason|fun)|to (?:annoy|punish|bother)|every (?:hour|night)|all night|repeatedly|as revenge)\b
        |\bkeep(?:ing)? (?:him|her|them|my \w+|the \w+|his \w+|her \w+) (?:awake|up all night|from (?:sleeping|getting (?:any )?sleep))\b|\bso (?:that )?(?:he|she|they|my \w+|nobody|no one) (?:can'?t|cannot|can not|never|don'?t|doesn'?t|gets? no|won'?t) (?:get any )?(?:sleep|rest|peace)\b`,
      before: context`${TOLD_OF.source}|\b(?:flight|airport|wake-?up call|alarm|medication|medicine|feeding|nurse|hotel|noise|barking|pain|cough|baby|coffee)\b`,
      after: /^.{0,30}\b(?:flight|airport|shift|medication|medicine|feeding|as (?:he|she|they) asked)/,
    },
    {
      id: 'en-nuisance-deep-night',
      category: 'nuisance',
      pattern: pattern`\b${CALL}\b.{0,40}?\b(?:at (?:1|2|3|4|one|two|three|four) ?(?:am|a\.m\.|in the morning)|in the middle of the night)\b.{0,40}\b(?:to|so|and|just|for|because)\b.{0,20}\b(?:wake|annoy|fun|revenge|sleep|hang|bother|scare|punish|payback|scream|spite)`,
      before: TOLD_OF,
    },
  ],
};
