/** Only what a text says, to find what is said twice: letters and digits in lower case, where it has any. */
export function bare(text: string | undefined): string {
  const words = (text ?? '').trim().toLowerCase();
  return words.replace(/[^\p{L}\p{N}]+/gu, '') || words;
}
