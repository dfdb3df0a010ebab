/** What a person does cannot be done; `message` is a sentence for them. */
export class PersonError extends Error {
  override name = 'PersonError';
}
