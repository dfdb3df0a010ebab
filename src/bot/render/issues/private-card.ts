import { fitMessage } from '../fit.ts';
import { columns, context, type Rendered, section } from '../rendered.ts';
import type { PrivateCardView } from '../views.ts';
import { SIMULATED, statusWords } from '../words.ts';
import { severityLine, short, value } from './card-lines.ts';

/** An issue that lives in a private channel, shown elsewhere: nothing that was said there. */
export function renderPrivateCard(view: PrivateCardView): Rendered {
  const name = view.number === null ? 'This issue' : `Issue #${view.number}`;
  const prefix = view.simulated ? `${SIMULATED}. ` : '';
  return fitMessage({
    text: `${prefix}${name} · ${statusWords(short(view.status))}`,
    blocks: [
      ...(view.simulated ? [context(SIMULATED)] : []),
      section(`*${name}*`),
      columns([
        `*Status*\n${statusWords(short(view.status))}`,
        `*Severity*\n${severityLine(view.severity, null)}`,
        `*Environment*\n${value(view.environment)}`,
      ]),
      context('It belongs to a private channel; the details are only shown there.'),
    ],
  });
}
