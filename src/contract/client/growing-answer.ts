import type { AnswerPart } from './answer-parts.ts';

/** An answer as its parts arrive. */
export class GrowingAnswer {
  #text = '';
  /** Whether deltas under names of their own arrived: then `answer` can only be the whole. */
  #deltas = false;
  #whole = false;
  #ended = false;
  #conversationId: string | null = null;
  #fields: Record<string, unknown> = {};
  #failure: Record<string, unknown> | null = null;
  readonly #artifacts: unknown[] = [];
  readonly #artifactIds = new Set<unknown>();

  /** Takes a part in, and answers the text that it adds at the end, often none. */
  take(part: AnswerPart): string {
    switch (part.kind) {
      case 'delta':
        this.#deltas = true;
        this.#text += part.text;
        return part.text;
      case 'whole':
        this.#whole = true;
        return this.#becomes(part.text);
      case 'either':
        return this.#deltas ? this.#becomes(part.text) : this.#goesOn(part.text);
      case 'closing':
        return this.#goesOn(part.text);
      case 'recap':
        return part.text.startsWith(this.#text) ? this.#becomes(part.text) : '';
      case 'conversation':
        this.#conversationId = part.id;
        return '';
      case 'artifacts':
        for (const item of part.items) this.#takeArtifact(item);
        return '';
      case 'fields':
        this.#fields = part.value;
        return '';
      case 'failure':
        this.#failure = part.value;
        return '';
      case 'end':
        this.#ended = true;
        return '';
    }
  }

  get text(): string {
    return this.#text;
  }

  /** Nothing of an answer has arrived. */
  get empty(): boolean {
    return this.#text === '' && this.#artifacts.length === 0;
  }

  /** The stream has said that it is over, one way or the other. */
  get over(): boolean {
    return this.#ended || this.#failure !== null;
  }

  /** The answer is known to be whole, even if the stream breaks now. */
  get whole(): boolean {
    return this.#whole || this.#ended;
  }

  /** The error body that the stream carried. */
  get failure(): Record<string, unknown> | null {
    return this.#failure;
  }

  /** The answer in the form of contract 2.9, still unchecked; `null` if only deltas arrived. */
  response(): unknown {
    const bare = this.#conversationId === null && this.#artifacts.length === 0;
    if (bare && Object.keys(this.#fields).length === 0) return null;
    return {
      ...this.#fields,
      ...(this.#conversationId === null ? {} : { conversation_id: this.#conversationId }),
      answer: this.#text,
      artifacts: this.#artifacts,
    };
  }

  /** The text so far with more at its end, or only what is more. */
  #goesOn(text: string): string {
    if (text.startsWith(this.#text)) return this.#becomes(text);
    this.#text += text;
    return text;
  }

  #becomes(text: string): string {
    if (text === '') return '';
    const added = text.startsWith(this.#text) ? text.slice(this.#text.length) : '';
    this.#text = text;
    return added;
  }

  #takeArtifact(item: unknown): void {
    const id = typeof item === 'object' && item !== null && 'id' in item ? item.id : undefined;
    if (id !== undefined && this.#artifactIds.has(id)) return;
    this.#artifactIds.add(id);
    this.#artifacts.push(item);
  }
}
