// English rules: harassment and deceit. Insults, stalking, sexual calls, driving somebody to self-harm; and getting money, codes
// or credentials from people by passing for somebody else.
import { BUSINESS, DENIED, HUMAN, KEEP, NOT, SAY, order, TOLD_OF } from './english-words.ts';
import { context, part, pattern } from './rule.ts';
import type { RuleGroup } from './rule.ts';

const INSULT = part`(?:ugly|fat|worthless|stupid|an? idiot|idiots|a loser|losers|a moron|pathetic|a piece of (?:shit|crap|trash|garbage)|a whore|a slut|a bitch|an? asshole|assholes|a pig|pigs|a coward|a cunt|a retard|retarded
  |disgusting|trash|garbage|scum|a failure|a disgrace|a terrible (?:mother|father|parent|person)|nothing but|dumb|a dumbass|a jerk|useless|a clown|a bastard|smelly)`;
const SECRET = part`(?:(?:card |debit |atm |bank )?pin(?: codes?| numbers?)?|cvv|one[- ]time (?:codes?|passwords?|pins?|passcodes?)|otps?|(?:online )?(?:bank(?:ing)?|account|email|login|paypal|venmo|apple|google|facebook|icloud) (?:passwords?|logins?|credentials)|passwords?|passcodes?
  |social security numbers?|ssn|verification codes?|(?:2fa|two[- ]factor|authentication|sms|security|login) codes?|seed phrase|recovery phrase|private keys?|login details|bank(?:ing)? details|credit card (?:numbers?|details|info\w*)|card numbers?)`;
const AUTHORITY = part`(?:irs|internal revenue|police(?: officers?)?|a cop|cops?|fbi|sheriff\w*|(?:his|her|their|the|a) bank(?:'s fraud department)?|bank (?:employee|fraud|officer|manager|representative)|microsoft|apple support|tech(?:nical)? support|social security(?: administration)?|medicare|immigration|ice agents?
  |tax office|hmrc|government|detective|(?:his|her|their|a|the) (?:grand(?:son|daughter|child|kid)|son|daughter|nephew|niece|boss|landlord)|customs|amazon(?: support)?|utility company|electric company|(?:his|her|their) (?:doctor|lawyer|insurer|insurance company|credit union|employer|school)|a (?:lawyer|doctor|judge|charity)|district attorney|court)`;

export const ENGLISH_ABUSE: RuleGroup = {
  reading: 'latin',
  stems:
    'moan|panties|underwear|cry|harass|stalk|bully|scare|testif|too |intimidat|terrori|humiliat|torment|menac|abus|degrad|sham|insult|curs|cuss|swear|yell|shout|scream|berat|mock|ridicul|belittl|ugly|fat|worthless|stupid|idiot|loser|moron|pathetic|piece of|whore|slut|bitch|asshole|pig|coward|cunt|retard|disgust|trash|garbage|scum|failure|disgrace|terrible|dumb|jerk|useless|clown|bastard|smelly|nothing but|dirty|sex|obscen|wearing|profan|slur|racist|kill|suicide|die|end |no one|pin|cvv|one|otp|passw|passc|ssn|social|verification|2fa|factor|authent|code|phrase|private key|login|bank|pretend|pos(?:e|ing)|claim|imperson|act|pass|gift card|bitcoin|itunes|wire|scam|con |swindl|defraud|phish|trick|cheat|victim|card|fool|deceiv|lie|lying|convinc|persuad|fuck|shit|naked|nude|punish|revenge|get even|get back at|make (?:him|her|them) (?:cry|suffer|pay|feel)|torture|miserable|afraid|fear|terrif|frighten|hates|likes|loves|wants|demean|regret|beg|laugh|medicare|from',
  rules: [
    {
      id: 'en-harass-verb',
      stems:
        'harass|stalk|bull|intimidat|terror|humiliat|torment|menac|verbal|abus|degrad|sham|insult|berat|mock|ridicul|belittl|demean|fright|terrif|tortur|sexual',
      category: 'harassment',
      pattern: pattern`(?:${order(part`(?:moan|panties|underwear|cry|harass|stalk|bully|scare|testif|too |intimidate|terrori[sz]e|humiliate|torment|menace|verbally (?:abuse|attack|assault)|abuse|degrade|shame|insult|berate|mock|ridicule|belittle|demean|frighten|terrify|torture|sexually harass)`)}
        |${KEEP}(?:harassing|stalking|bullying|intimidating|terrori[sz]ing|humiliating|tormenting|abusing|insulting|berating|mocking|frightening|terrifying)) (?:${HUMAN}|${BUSINESS})`,
      before: TOLD_OF,
    },
    {
      id: 'en-harass-shout',
      stems: 'curs|cuss|swear|yell|shout|scream|hurl|spew|obscen|profan|slur|insult|racist|vulgar|offensive',
      category: 'harassment',
      pattern: pattern`(?:${order(part`(?:curse|cuss|swear|yell|shout|scream|hurl|spew)`)}|${KEEP}(?:cursing|cussing|swearing|yelling|shouting|screaming)) (?:(?:out |at )(?:${HUMAN}|whoever|the (?:person|first))|(?:\w+ )?(?:obscenit\w+|profanit\w+|insults|slurs|curses|abuse|swear ?words)|out (?:him|her|them))
        |\b(?:say|use|shout|yell|scream|leave|send|hurl|throw|give) (?:\w+ ){0,2}(?:obscenit\w+|profanit\w+|slurs|insults|racist (?:remarks|jokes|insults|things)|vulgar\w* (?:\w+)?|offensive (?:things|remarks|jokes|language|message))\b`,
      before: context`${TOLD_OF.source}`,
    },
    {
      id: 'en-harass-insult',
      stems:
        'ugly|fat|worthless|stupid|idiot|loser|moron|pathetic|piece|whore|slut|bitch|asshole|pig|coward|cunt|retard|disgust|trash|garbage|scum|failure|disgrace|terrible|nothing but|dumb|jerk|useless|clown|bastard|smelly|names|fuck|screw|likes|loves|hates|wants|would miss|laugh',
      category: 'harassment',
      pattern: pattern`\b${SAY} (?:him|her|them|(?:my|his|her|their|the|that) (?:[\w'-]+ ){1,3}?|\w+ )(?: ?that| how)? ?(?:he|she|they|you)(?:'s|'re| is| are) (?:all )?(?:such |so |really |very |just |a |an |fucking |complete |total |nothing but )*${INSULT}\b|\bcall(?:ing)? ${HUMAN} (?:such )?(?:names|${INSULT})\b|\b(?:and|then|to|just|) laugh(?:ing)? at ${HUMAN}|\bhow (?:ugly|stupid|worthless|pathetic|fat|disgusting|useless|dumb) (?:he|she|they) (?:is|are)\b
        |\b${SAY} (?:him|her|them|\w+ \w+|\w+) (?:to )?(?:go )?(?:fuck|screw) (?:off|himself|herself|themselves|yourself|you)|\b(?:nobody|no ?one|everyone|everybody) (?:likes|loves|hates|wants|would miss) (?:him|her|them|you)\b`,
      before: TOLD_OF,
      after: /^ ?(?:question|idea|mistake|of|pickup|collection|truck|bag|can|disposal)/,
    },
    {
      id: 'en-harass-sexual',
      category: 'harassment',
      pattern: pattern`\b(?:talk(?:ing)? dirty|dirty talk|phone sex|obscene (?:things|remarks|messages?|noises)|sexual (?:remarks|comments|things|noises|jokes)|sexually explicit|describe (?:\w+ )?sex\w*|ask (?:him|her|them|what color|the \w+|my \w+|what) ?(?:what )?(?:\w+ )?(?:underwear|panties|bra|(?:he|she|they)(?:'s| is| are|'re) wearing)|moan(?:ing)? (?:sexually|into|at)|for (?:nudes|naked pictures))\b`,
      before: context`${TOLD_OF.source}|\b(?:therapist|clinic|dress code|policy|costume|education)\b`,
      after: /^.{0,20}\b(?:hotline addiction|education|policy|for the (?:wedding|ceremony|prom|recital|party))/,
    },
    {
      id: 'en-harass-self-harm',
      category: 'threat',
      pattern: pattern`\b(?:${SAY}|urge|encourage|push|drive|get|talk|make|persuade)\b.{0,40}\b(?:kill (?:himself|herself|themselves|themself|yourself)|(?:commit(?:ting)?|into) suicide|(?:should|deserves? to|must|to) die|end (?:his|her|their|your) (?:own )?(?:life|lives)|hurt (?:himself|herself|themselves|yourself)|(?:world|everyone|we) would be better (?:off )?without (?:him|her|them|you))\b`,
      before: context`${DENIED.source}|\b(?:crisis|counsel\w*|welfare|wellness|doctor|therapist|risk)\b`,
      after: /^ ?(?:prevention|hotline|risk|watch)/,
    },
    {
      id: 'en-harass-revenge',
      stems:
        'cry|too|so |suffer|miserable|feel|afraid|scare|fear|pay for|life|regret|beg|revenge|even|back at|frightened|testifying',
      category: 'harassment',
      pattern: pattern`\b(?:make|making|get|getting) (?:him|her|them|my \w+|his \w+|her \w+|the \w+)(?: \w+)? (?:to )?(?:cry|suffer|miserable|feel (?:unsafe|afraid|scared|threatened|terrified|like (?:shit|crap|garbage))|(?:afraid|scared) (?:for|of|to)|fear for|pay for (?:leaving|dumping|what|breaking|cheating|it|this)|life hell|regret|beg)\b|\bscare (?:him|her|them|the witness|my \w+|the \w+) (?:so|into|out of|from|off)\b
        |\b(?:get|taking|take|want) (?:my |our )?(?:revenge on|even with|back at) (?:${HUMAN})|\b(?:too|so) (?:scared|afraid|frightened) (?:to|that) (?:testify|leave|sleep|talk|go)\b|\bkeep (?:him|her|them) from testifying\b`,
      before: TOLD_OF,
    },
    {
      id: 'en-scam-credentials',
      stems:
        'pin|debit|atm|cvv|one|otp|passw|passc|social|ssn|verification|2fa|two|authent|sms|security|seed|recovery|private|login|bank|credit|card|paypal|venmo|email|account|online|apple|google|facebook|icloud|gift|arrest|remote|anydesk|teamviewer',
      category: 'scam',
      pattern: pattern`\b(?:get|getting|obtain|extract|steal|trick|fool|con|convinc\w+|mak(?:e|ing)|persuad\w+|ask(?:ing)?|talk|collect|harvest|phish|request|have)\b(?:(?!\b(?:if|whether|how|which|what|when|where)\b).){0,50}\b(?:his|her|their|your|the (?:customer|victim|recipient|owner|person|woman|man|resident|cardholder|caller)'?s?|(?:grand\w+|mom|dad|victim|\w+'s|people's)|give (?:me|us|you|up|out)(?: the| a)?|reveal\w*|handing over|hand over|read(?:ing)? (?:out|back)(?: the)?|disclos\w+|shar(?:e|ing)) (?:(?!wi-?fi|wireless|guest|gate|door|building|entry|entrance|lobby|network|area|zip)\w+ ){0,4}?${SECRET}\b|\b(?:get|obtain|extract|steal|collect|coax|squeeze) (?:the|a|any|all) (?:\w+ ){0,3}?${SECRET}.{0,20}\b(?:from|out of) ${HUMAN}
        |\b(?:say|tell|claim|act|explain)\b.{0,40}\b(?:you're|you are|i'm|i am|we are|we're|calling|it's) (?:calling )?(?:from )?(?:the |an? )?${AUTHORITY}\b.{0,60}\b(?:${SECRET}|gift cards?|arrest\w*|remote access|anydesk|teamviewer)\b`,
      before: context`${NOT.source}|\b(?:(?:ask|find out|inquire) (?:which|what|how|if|whether|where|when)|lost|reset|forgot\w*|report\w*|scam\w*|my own|change|policy|someone|who|training)\b`,
      after:
        /^ ?(?:for (?:the|their) (?:wi-?fi|guest|gate|door|building|lobby|entrance|elevator)|reset|policy|on file|payments?|processing|fees?|surcharge|accepted|required|tumbler|collection|location)|^s? (?:is|are) (?:needed|required|accepted)/,
    },
    {
      id: 'en-scam-impersonate',
      stems: 'pretend|pos(?:e|ing)|imperson|masquerad|false|act|lie|pass|claim|spoof',
      category: 'scam',
      pattern: pattern`\b(?:pretend(?:ing)?|pos(?:e|ing)|impersonat(?:e|ing)|masquerad(?:e|ing)|falsely claim(?:ing)?|act(?:ing)? like|lie (?:that|and say)|pass(?:ing)? (?:yourself |myself )?(?:off )?(?:as|for)|claim(?:ing)? to be|spoof(?:ing)?)(?: to be| as| that| like| (?:that )?(?:you're|you are|i'm|i am|we're|we are|it's|it is)| calling| from| with)* ?(?:from |an? |the )*${AUTHORITY}\b`,
      before: context`${TOLD_OF.source}|\b(?:scams?|scammers?|fraud\w*|caller|he|she|they|who)\b`,
    },
    {
      id: 'en-scam-pay',
      category: 'scam',
      pattern: pattern`\b(?:buy|purchase|pay|send|get|demand|transfer|wire)\b.{0,40}\b(?:gift cards?|itunes cards?|google play cards?|bitcoins?|crypto\w*|wire transfers?|western union|moneygram|cash)\b.{0,60}\b(?:read|tell (?:you|me|us)|give (?:you|me|us)|(?:or|to avoid) (?:be |being |get |getting |face |an? )?(?:arrest\w*|jail\w*|deport\w*|prosecut\w*|warrant)|arrest\w*|bail|taxes owed|the (?:numbers|codes) on)\b|\b(?:unless|or|if) (?:he|she|they|you) (?:pays?|send|wire|do(?:es)?n'?t pay).{0,40}\b(?:arrest\w*|deport\w*|jail)\b|\b(?:convinc\w+|trick\w*|fool\w*|mak(?:e|ing))\b.{0,30}\b(?:grand\w+|son|daughter|husband|wife|nephew|niece)\b.{0,20}\b(?:in (?:jail|prison|custody|trouble|an accident)|arrested|kidnapped)\b|\b(?:will be|be|get) (?:arrested|deported|jailed) (?:unless|if|today|immediately)\b`,
      before: context`${DENIED.source}|\b(?:scam\w*|victim|refund|fraud\w*|someone|caller)\b`,
    },
    {
      id: 'en-scam-verb',
      stems: 'scam|con|swindl|defraud|phish|deceiv|dup|cheat|rip|rob|trick|fool|sell|promot|pitch|computer|account',
      category: 'scam',
      pattern: pattern`(?:${order(part`(?:scam|con|swindle|defraud|phish|deceive|dupe|cheat|rip off|rob|trick|fool)`)}|${KEEP}(?:scamming|conning|swindling|defrauding|phishing|deceiving|tricking)) (?:(?:old|elderly|vulnerable|lonely) \w+|grand\w+|seniors|${HUMAN})(?: (?:out of|into|over)\b)?|\b(?:sell|selling|promote|pitch) (?:an? |some )?(?:fake|counterfeit|nonexistent|bogus|fraudulent) \w+|\b(?:say|tell|claim\w*|convince) .{0,30}\b(?:computer has a virus|account (?:has been|is|was) (?:compromised|hacked)).{0,60}\b(?:remote|anydesk|teamviewer|install|pay|password|code|transfer)`,
      before: TOLD_OF,
    },
  ],
};
