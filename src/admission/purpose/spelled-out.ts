// What blocks when it was spelled out letter by letter. Nobody writes these so but to hide them; where the words end is unknown.
import type { Rule } from './rule.ts';

export const SPELLED_OUT: readonly Rule[] = [
  { id: 'spelled-prank', category: 'prank', pattern: /pr[au]n+k|crankcall|hoaxcall|jokecall/g },
  {
    id: 'spelled-threat',
    category: 'threat',
    pattern:
      /bombthreat|abomb(?!ay)|deaththreat|(?:kill|murder|shoot|stab|hurt|harm)(?:him|her|them|you(?!r)|everyone|myex|his|my)|kill(?:yourself|himself|herself)|threaten|blowup|blackmail|swat(?:him|her|them|my)/g,
  },
  {
    id: 'spelled-harassment',
    category: 'harassment',
    pattern: /harass(?!ment)|terrori[sz]e|humiliate|stalk(?:him|her|them|my)/g,
  },
  {
    id: 'spelled-nuisance',
    category: 'nuisance',
    pattern: /nuisancecall|(?:annoy|pester|spam)(?:him|her|them|my|the)|andhangup/g,
  },
];
