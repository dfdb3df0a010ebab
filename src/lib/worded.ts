/** An answer whose first paragraph was worded by a language model: the service writes it, and the bot shows it. */
export interface Worded {
  /** What the model worded, a citation (`[a1]`) after each sentence. */
  summary: string;
  /** The whole computed answer, with the ids at the lines that are cited. */
  computed: string;
  /** `worded by NAME from a1, a3 · 2 sentences left out: no evidence` */
  footer: string;
}

const FOOTER =
  /^_(worded by [^\n]{1,200} from a\d+(?:, a\d+)*(?: · \d+ sentences? left out: no evidence)?)_$/u;

export function writeWorded({ summary, computed, footer }: Worded): string {
  return [summary, computed, `_${footer}_`].join('\n\n');
}

/** `null` if no model worded it. */
export function readWorded(answer: string): Worded | null {
  const text = answer.trim();
  const [start, end] = [text.indexOf('\n\n'), text.lastIndexOf('\n\n')];
  const footer = FOOTER.exec(text.slice(end + 2))?.[1];
  if (start < 0 || start === end || footer === undefined) return null;
  return { summary: text.slice(0, start), computed: text.slice(start, end).trim(), footer };
}
