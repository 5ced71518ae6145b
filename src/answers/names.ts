// Names of properties and values as words that can be spoken. Pure.

/** `closingTime`, `closing_time`, `ClosingTIME-2` -> `closing time`, `closing time`, `closing time 2`. */
export function wordsOf(name: string): string {
  return name
    .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .replace(/[_\-./\\:]+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .split(' ')
    .map((word) => (/^\p{Lu}{2,5}$/u.test(word) ? word : word.toLowerCase()))
    .join(' ');
}
