import { sizeWords } from './files.ts';

// The server takes 4 MiB of JSON at once, in which three bytes are four characters.
const LARGEST_BYTES = 3_000_000;

/** Why files cannot be sent together, as a sentence; `null` where they can. */
export function tooLarge(files: readonly { size: number }[]): string | null {
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  if (bytes <= LARGEST_BYTES) return null;
  const what = files.length === 1 ? 'This file is' : 'These files are together';
  return `${what} ${sizeWords(bytes)} large. This workspace takes ${sizeWords(LARGEST_BYTES)} in one message: send ${files.length === 1 ? 'a smaller one' : 'fewer or smaller ones'}.`;
}

/** Files as the page sends them, their content in base64. Rejects where one cannot be read. */
export function encodeFiles(files: readonly File[]): Promise<{ name: string; content: string }[]> {
  return Promise.all(files.map(async (file) => ({ name: file.name, content: await base64(file) })));
}

function base64(file: File): Promise<string> {
  const reader = new FileReader();
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,?/, ''));
  reader.onerror = () => reject(reader.error);
  reader.readAsDataURL(file);
  return promise;
}
