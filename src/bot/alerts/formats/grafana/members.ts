import { type Fact, toFact } from '../../facts.ts';
import { linksOf } from '../../slack-text.ts';
import { headingState, type State } from '../../state.ts';

/** One alert of a unified message, as the default template lists it. */
export interface Member {
  state: State | null;
  labels: Fact[];
  annotations: Fact[];
  /** The rule's page. */
  source: string | null;
}

const PAIR = /^\s{0,4}[-•]\s(.*)$/u;
const SECTION = /^\s*\**(Value|Labels|Annotations|Source|Silence|Dashboard|Panel|Image)\**\s?:\**/u;

/** Reads ` - name = value` lines below `Labels:` and `Annotations:`; values may run over several lines. */
export function membersOf(text: string): Member[] {
  const members: Member[] = [];
  let state: State | null = null;
  let section = '';
  let last: { name: string; raw: string } | null = null;

  const flush = () => {
    const list = section === 'Labels' ? 'labels' : 'annotations';
    if (last) members.at(-1)?.[list].push(toFact(last.name, last.raw.trim()));
    last = null;
  };
  const begin = (name: string) => {
    const open = members.at(-1);
    const used = open === undefined || open.state !== state || open.source !== null || open.labels.length > 0;
    if (open === undefined || (used && (name === 'Value' || name === 'Labels'))) {
      members.push({ state, labels: [], annotations: [], source: null });
    }
  };

  for (const line of text.split('\n')) {
    const heading = headingState(line);
    const name = SECTION.exec(line)?.[1];
    const pair = section === 'Labels' || section === 'Annotations' ? PAIR.exec(line)?.[1] : undefined;
    const equals = pair?.indexOf(' =') ?? -1;
    if (heading || name) {
      flush();
      state = heading ?? state;
      section = name ?? '';
      if (name) begin(name);
      const open = members.at(-1);
      if (open && name === 'Source') open.source ??= linksOf(line)[0]?.url ?? null;
    } else if (pair !== undefined && equals > 0) {
      flush();
      last = { name: pair.slice(0, equals), raw: pair.slice(equals + 2).trim() };
    } else if (last) {
      last = { name: last.name, raw: `${last.raw}\n${line}` };
    }
  }
  flush();
  return members;
}
