/** A normalised service name for lookups across sources and conventions, which differ in case and separators. */
export function comparableName(name: string): string {
  return name.toLowerCase().replaceAll(/[_.\s]+/gu, '-');
}
