import type { Button, DataTableBlock } from '@slack/types';
import type { Organization } from '../../../contract/client/client.ts';
import { cutAtWord, oneLine } from '../../../lib/text.ts';
import type { IssueNumber } from '../../shared/issue-number.ts';
import { actionIds } from '../action-ids.ts';
import { date } from '../dates.ts';
import { bare, bold, clean, literal, quoted } from '../escape.ts';
import { notice } from '../fit.ts';
import { link } from '../links.ts';
import { inReadersTime } from '../readers-time.ts';
import { actions, button, context, type Rendered, section } from '../rendered.ts';
import {
  dataTable,
  issueCell,
  NOTHING,
  parts,
  type Row,
  timedWords,
  timePart,
  withTable,
  words,
} from '../table.ts';
import { plainSeverity, plainStatus, SIMULATED, statusWords } from '../words.ts';
import { severityLine, short, value } from './card-lines.ts';
import { type MemberView, plainSymptoms, symptomsLine } from './incident.ts';

/** What is asked for; `null` for all. All texts are untrusted. */
export interface IssueFilterView {
  status: string | null;
  environment: string | null;
  search: string | null;
}

export interface IssueRow {
  number: IssueNumber;
  status: string;
  severity: string;
  environment: string;
  /** Untrusted; `null` if it lives in a private channel elsewhere. */
  title: string | null;
  /** The root cause in one line; `null` if it is not known, or may not be shown. Untrusted. */
  cause?: string | null;
  /** Of the incident that it leads. */
  symptoms?: readonly MemberView[];
  /** A link to its card, if the reader may follow it. */
  url: string | null;
  /** Milliseconds since the epoch. */
  triggeredAt: number;
}

export interface IssueListView {
  /** The command that listed them, to be repeated: `/issue`. */
  command: string;
  /** Whose issues are listed; those of private channels say so. */
  organization?: Organization;
  filter: IssueFilterView;
  rows: readonly IssueRow[];
  /** The buttons' value; `null` if there is no such page. */
  previous: string | null;
  next: string | null;
  /** The page that was asked for begins at an issue that is gone: this is the first one. */
  fromTheTop: boolean;
  simulated: boolean;
}

const MAX_TITLE = 150;
/** A phone shows the first two. */
const HEAD = ['Issue', 'Root cause', 'Status', 'Symptoms', 'Severity', 'Environment', 'Since'];

/** The page of `/issue list`: what the service has on it, the most severe first. */
export function renderIssueList(view: IssueListView): Rendered {
  const heading = `${view.organization === 'private' ? 'Private issues' : 'Issues'}${filterWords(view.filter)}`;
  const rows = view.rows.map(rowOf);
  const prefix = view.simulated ? `${SIMULATED}. ` : '';
  const numbers = view.rows.map(({ number }) => `#${number}`).join(', ');
  return withTable(`${prefix}${literal(heading)}: ${numbers || 'none'}`, {
    before: [
      ...(view.simulated ? [context(SIMULATED)] : []),
      ...(view.fromTheTop ? [context('The list has changed, so this is the first page again.')] : []),
      ...(rows.length === 0 ? [section(bold(heading)), section(emptyWords(view))] : []),
    ],
    table: rows.length === 0 ? [] : [tableOf(heading, rows)],
    // A table has it as its caption.
    instead: rows.length === 0 ? [] : [section(bold(heading)), ...rows.map(({ line }) => section(line))],
    after: [
      ...buttonRow(view),
      ...(rows.length === 0 ? [] : [context(`Details: \`${view.command} ${view.rows[0]?.number}\``)]),
    ],
  });
}

/** What all issues have in common is said once, in the caption, and is no column; nor is what none has. */
function tableOf(heading: string, rows: readonly Row[]): DataTableBlock {
  const saying = (row: Row | undefined, index: number) => {
    const cell = row?.cells[index];
    return cell?.type === 'raw_text' ? cell.text : null;
  };
  const common = HEAD.map((_, index) => {
    const said = saying(rows[0], index);
    return rows.every((row) => saying(row, index) === said) && (rows.length > 1 || said === NOTHING)
      ? said
      : null;
  });
  const shown = <T>(cells: readonly T[]) => cells.filter((_, index) => common[index] === null);
  const more = common.filter(
    (said) => said !== null && said !== NOTHING && !bare(heading).includes(bare(said)),
  );
  return dataTable(
    [heading, ...more].join(' · '),
    shown(HEAD),
    rows.map((row) => ({ ...row, cells: shown(row.cells) })),
  );
}

/** `, muted, in production, with “timeout”`; not escaped yet. */
function filterWords({ status, environment, search }: IssueFilterView): string {
  const parts = [
    ...(status === null ? [] : [short(status).replaceAll('_', ' ')]),
    ...(environment === null ? [] : [`in ${short(environment)}`]),
    ...(search === null ? [] : [`with “${short(search)}”`]),
  ];
  return parts.map((part) => `, ${part}`).join('');
}

function emptyWords({ filter, command }: IssueListView): string {
  const { status, environment, search } = filter;
  if (status === null && environment === null && search === null) {
    return 'No issues yet. File one with `/investigate` and what is wrong.';
  }
  return `No matching issues. \`${command} list\` shows all of them.`;
}

function rowOf({
  number,
  title,
  cause = null,
  symptoms = [],
  url,
  status,
  severity,
  environment,
  triggeredAt,
}: IssueRow): Row {
  const label = `#${number}`;
  const name = title === null ? '' : cutAtWord(oneLine(clean(title)), MAX_TITLE) || 'Untitled issue';
  const others = symptomsLine(symptoms);
  const facts = [
    statusWords(short(status)),
    severityLine(severity, null),
    value(environment),
    date(triggeredAt),
  ];
  return {
    cells: [
      issueCell(label, name || 'in a private channel', url),
      // Before its colon, a cause says what it is.
      timedWords((cause ?? '').split(/:\s/u)[0] ?? '', triggeredAt),
      words(plainStatus(short(status))),
      words(plainSymptoms(symptoms) ?? ''),
      words(plainSeverity(short(severity))),
      words(short(environment) || 'not stated'),
      parts(timePart(triggeredAt)),
    ],
    line: [
      `${url === null ? label : link(url, label)} ${name === '' ? '_in a private channel_' : bold(name)}`,
      ...(cause === null ? [] : [inReadersTime(`_Cause:_ ${value(cause)}`, triggeredAt)]),
      ...(others === null ? [] : [others]),
      facts.join(' · '),
    ].join('\n'),
  };
}

function buttonRow({ previous, next }: IssueListView) {
  const buttons: Button[] = [
    ...(previous === null ? [] : [button('‹ Previous', actionIds.previousIssues, previous)]),
    ...(next === null ? [] : [button('Next ›', actionIds.nextIssues, next)]),
  ];
  return buttons.length === 0 ? [] : [actions(buttons)];
}

/** There is no such status; `known` lists the existing ones, `nearest` is a similar one. */
export function unknownStatus(typed: string, known: readonly string[], nearest: string | null): Rendered {
  const asked = quoted(typed, 40);
  const guess = nearest === null ? '' : ` Did you mean \`status:${nearest}\`?`;
  return notice(
    `“${asked}” is not a status.${guess} Use one of ${known.map((one) => `\`${one}\``).join(', ')}.`,
  );
}
