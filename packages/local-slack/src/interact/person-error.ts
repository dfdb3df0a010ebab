/** A person's action that is not possible; `message` is a sentence for them. */
export class PersonError extends Error {
  override name = 'PersonError';
}
