/** Files as the page sends them, in base64. Rejects if one cannot be read. */
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
