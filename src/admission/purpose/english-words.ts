// Words that the English rules share: to whom it is done, how an order to do it begins, and what makes speaking of it harmless.
import { context, part } from './rule.ts';

const ROLE = part`(?:famil(?:y|ies)|kids?|child(?:ren)?|sons?|daughters?|wife|husband|mothers?|fathers?|moms?|mums?|dads?|parents?
  |brothers?|sisters?|grandmas?|grandpas?|grand(?:mother|father|son|daughter)s?|aunts?|uncles?|cousins?|dogs?|cats?|pets?|exe?s?
  |ex-\w+|boss(?:es)?|neighbou?rs?|teachers?|professors?|principal|students?|staff|employees?|workers?|customers?|owners?|judges?
  |jury|jurors?|witness(?:es)?|managers?|supervisors?|girlfriends?|boyfriends?|baby|people|guys?|m[ae]n|wom[ae]n|boys?|girls?
  |lady|ladies|landlords?|landlady|tenants?|doctors?|dentist|nurses?|co-?workers?|colleagues?|classmates?|room-?mates?|friends?
  |rivals?|enem(?:y|ies)|operators?|receptionists?|secretary|clerks?|cashiers?|drivers?|agents?|officers?|persons?|victims?
  |voters?|seniors?|elderly|residents?|strangers?|telemarketers?|mayor|senator|governor|president|congress\w*|candidate|ceo
  |lawyers?|attorneys?|\w{3,}(?:ist|ian|keeper|tender|person|holder)s?|waiters?|waitress\w*|hostess|chef|coach|dean|mates?|volunteers?|contractors?
  |vendors?|sellers?|dealers?|recipients?|callers?|callee|targets?|listeners?|buddy|pals?|jerk|bastards?|idiots?|bitch|snitch|moron|debtors?|borrowers?|competitors?|rabbi|priest|imam|pastor)`;

/**
 * Somebody else; never `me` or `us`, which are the words of a victim. The gap is a counted class and not up to two words, since the
 * engine unrolls short loops and would compile the list of roles three times.
 */
export const HUMAN = part`(?:him|her|them|you|someone|somebody|any(?:one|body)|every(?:one|body)|people|strangers|whoever \w+
  |(?:old|random|elderly|innocent) \w+
  |(?:his|her|their|your|my|our|the|this|that|these|those|an?|some|any|all|every|each) [\w' -]{0,24}?\b${ROLE})\b`;

/** A business or the like as the target. */
export const BUSINESS = part`(?:his|her|their|the|this|that|my|some|every|an?) [\w' -]{0,24}?\b(?:business|company|store|shop|restaurant|place|office|house
  |household|hotline|switchboard|pizzeria|pizza place|hotel|bar|school|campaign|church|firm|bank|phone|competition|support team|call cent(?:er|re)|diner|cafe)\b`;

const BEGINS_AN_ORDER = part`(?<=(?:^\W*|[,;:.!?"()—–-] ?|'|\b(?:to|and|then|please|just|only|simply|really|you|should|must|will|shall|can
  |could|i|we|or|let'?s|repeatedly|constantly|kindly|basically|also|help me|going to|gonna|wanna|'ll|i'd|we'd) )(?:\w{2,16}ly )?)`;

/** Verbs in their plain form where they begin an order or a plan. They are looked for before what is before them: it is cheaper. */
export function order(verbs: string): string {
  return `\\b(?=${verbs})${BEGINS_AN_ORDER}${verbs}`;
}

/** The same for the form in -ing. */
export const KEEP = part`\b(?:keep(?: on)?|start|continue|try|by|go on|begin|enjoy|into|don'?t stop|never stop|(?:purpose|goal|idea
  |point|plan|aim|objective) is) `;

/** Words that put something into the recipient's ear. */
export const SAY = part`(?:tell(?:ing)?|say(?:ing)?|announc(?:e|ing)|claim(?:ing)?|inform(?:ing)?|warn(?:ing)?
  |let (?:him|her|them|\w+ \w+) know|pretend(?:ing)?|shout(?:ing)?|scream(?:ing)?|whisper(?:ing)?|threaten(?:ing)?|state|stating
  |mention(?:ing)?|remind(?:ing)?|promis(?:e|ing)|swear|declar(?:e|ing)|convinc(?:e|ing)|message
  |make (?:him|her|them|\w+ \w+) (?:believe|think)|make (?:it )?clear|convey(?:ing)?|hint(?:ing)?|imply(?:ing)?)`;

/** At the end of what stands before: `do not `, `without `, `never try to `. Not `don't stop `, which is an order. */
const NEGATED = part`\b(?:not|don'?t|doesn'?t|didn'?t|won'?t|wouldn'?t|isn'?t|aren'?t|wasn'?t|never|no|nor|without|avoid(?:ing)?
  |refrain from|rather than|instead of|anti)\b[ -]?(?!(?:hesitate|stop|forget|fail|quit|be afraid|give up|let up|only|just|worry
  |matter|let|leave|rest)\b)(?:[\w']+,? ){0,4}[\w']*[ ('"-]{0,2}$`;

/** A report, a question, a defence, anywhere in the clause before, unless an order is added to it. */
const REPORTED = part`\b(?:reports?|reported|reporting|complain(?:s|ed|ing|ts?)?|grievances?|victims?|receiv(?:e|ed|es|ing)|gets?|got
  |getting|gotten|suffer(?:s|ed|ing)?|investigat\w+|inquir\w+|ask(?:s|ed|ing)?(?: \w+){0,2} (?:about|if|whether|how|what|when|why
  |who|which)|questions?|stop(?:ping|ped|s)? (?:the|these|those|all|any|getting|receiving|him|her|them|people|someone|kids|further)
  |block(?:ing|s)?|prevent\w*|protect\w*|against|deter(?:ring)?|sorry|apolog\w+|suspect(?:ed|s)?|alleg\w+|accus\w+|someone
  |somebody|because of|due to|regarding|concerning|discuss|follow(?:ing)? up on|cop(?:e|ing) with|deal(?:ing)? with|respond(?:ing)? to
  |after (?:the|a|an|being|getting|our|my|his|her|their)|since (?:the|a|an)|during (?:the|a|an)|restraining order|protective order
  |support group|hotline|shelter|(?:movie|film|book|novel|song|album|show|episode|podcast|game|play|tickets?)s? (?:called|named
  |titled|about|for|to)|damage from|history of|risk of|fear(?:s|ed)? (?:of|that)|afraid|worried|scared that|in case|experienc\w+
  |research|lecture|lesson|documentary|exhibit\w*|museum)\b(?!.*\b(?:and|then) $)`;

/** At the end of what stands before: somebody else is doing it, or it was done, or it is what something is about. */
const DONE_BY_OTHERS = part`\b(?:(?:mr|mrs|ms|miss|dr|prof)\.?|(?:have|has|had|was|were|been|being)(?: \w+ly)?|he|she|they|who|which|kids|callers?
  |teenagers?|about (?:an?|the|some|those|these|our|his|her|their|last|yesterday's|such|possible)(?: \w+)?
  |(?:seems|seemed|starts|started|used|tends|began|continues|continued|appears|tries|tried|trying) to)
  (?: always| still| often| constantly| keeps?| kept| calls and)? $`;

/** What a clause before may hold that makes it harmless. */
export const TOLD_OF = context`${NEGATED}|${REPORTED}|${DONE_BY_OTHERS}`;
/** The same where questions and reports can carry the deed itself: only a denial, or the police and the like. */
export const DENIED = context`${NEGATED}|\b(?:reports?|reported|reporting|complain(?:s|ed|ing|ts?)?|victims? of|receiv(?:ed|ing)
  |restraining order|protective order|police report|(?:he|she|they|who|caller|ex|someone|somebody|husband|boyfriend|neighbou?r
  |student|patient|man|woman|suspect) (?:has |had |have |is |was |keeps )?(?:said|says|saying|threaten(?:ed|s|ing)|told|messaged|texted
  |wrote|claims|claimed|emailed)|afraid|fear(?:s|ed)?|worried|concerned|apologi[sz]\w*|sorry|alleg\w+|accus\w+|movie|film|book|novel|song
  |album|episode|podcast|prevent\w*|protect\w*|hotline|museum|history|lecture|documentary|exhibit\w*|drill|training)\b
  (?!.*\b(?:and|then) $)`;
/** Only a denial. */
export const NOT = context`${NEGATED}`;

/** What follows when it is told of as something that happened, or as a matter with a name. */
export const AS_A_MATTER = part`(?:-related|s?['’]?s? (?:calls? |threats? |attempts? )?(?:complaints?|reports?|incidents?|victims?|hotline
  |polic(?:y|ies)|prevention|protection|training|awareness|laws?|charges?|cases?|investigation|blocking|blockers?|detection
  |procedures?|drills?|protocols?|hoax we|museum|checklist|plan|insurance|cleanup|repair|problem|issue|survey)\b
  |s? (?:that |which )?(?:was|were|has|have|had|came|happened|occurred|keeps?|kept|is happening)\b|s? (?:last|yesterday|the other)\b
  |s? (?:that )?(?:we|i|they|he|she|you|our \w+|my \w+|the \w+|her|his)(?:'ve| have| had| has)? (?:\w+ )?(?:received|got|get
  |gets|getting|reported|experienced|had|played|made|heard)\b|s? (?:from|by) (?:him|her|them|my|our|the|his|their|an?|someone|some
  |kids|unknown|this|that|telemarketers|scammers)\b|s? (?:to|against|at|on|toward) (?:me|us|our)\b)`;
