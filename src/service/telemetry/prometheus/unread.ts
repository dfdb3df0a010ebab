export class Unread {
  readonly #labels = new Map<string, Set<string>>();

  note(reason: string, label: string): void {
    this.#labels.set(reason, (this.#labels.get(reason) ?? new Set()).add(label));
  }

  sentences(): string[] {
    return [...this.#labels].map(([reason, labels]) => {
      const named = [...labels].slice(0, MOST_NAMED).join(', ');
      const more = labels.size > MOST_NAMED ? ` and ${labels.size - MOST_NAMED} more signals` : '';
      return `${reason} Not read: ${named}${more}.`;
    });
  }
}

const MOST_NAMED = 5;
