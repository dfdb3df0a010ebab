import type { KnownBlock } from '@slack/types';
import { actionIds } from '../action-ids.ts';
import { quoted, userMention } from '../escape.ts';
import { actions, button, section } from '../rendered.ts';
import type { RecordView } from '../views.ts';

const ANSWERS = [
  ['saidYes', 'Yes'],
  ['saidNearly', 'Nearly'],
  ['saidNo', 'No'],
  ['saidOther', 'Something else'],
] as const;

const SAID = {
  yes: 'it was that',
  nearly: 'it was nearly that',
  no: 'it was not that',
  other: 'it was something else',
} as const;

/** What a resolved issue's card asks, until somebody has answered; one press. */
export function questionBlocks(issueId: string): KnownBlock[] {
  return [
    section('*Was the root cause right?* One click, for this channel’s record.'),
    actions(ANSWERS.map(([name, words]) => button(words, actionIds[name], issueId))),
  ];
}

/** What somebody said of the verdict, and how often others like it were right here. */
export function recordLines({ said, saidBy, confidence, standing }: RecordView): string[] {
  const level = quoted(confidence, 40);
  return [
    ...(standing === null
      ? []
      : [`Confidence ${level} · right ${standing.right} of ${standing.of} times here`]),
    ...(said === null
      ? []
      : [
          saidBy === null
            ? `Root cause: ${SAID[said]}`
            : `Root cause: ${SAID[said]}, said ${userMention(saidBy)}`,
        ]),
  ];
}
