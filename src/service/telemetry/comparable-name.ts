/** A name of a service by which it is found in other sources and conventions, which differ in case and separators. */
export function comparableName(name: string): string {
  return name.toLowerCase().replaceAll(/[_.\s]+/gu, '-');
}
