// JSON Pointers, by which every fault, answer and piece of evidence names its place. Pure.

/** One step of a JSON Pointer, escaped. @see RFC 6901, section 3 */
export function pointerStep(name: string | number): string {
  return `/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** The steps of a JSON Pointer, unescaped; null when it is not one. */
export function pointerSteps(pointer: string): readonly string[] | null {
  if (pointer === '') return [];
  if (!pointer.startsWith('/') || /~(?![01])/.test(pointer)) return null;
  return pointer
    .slice(1)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}
