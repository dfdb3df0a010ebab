import { z } from 'zod';
import { renderAnswerParts } from '../../render/answer.ts';
import type { AnswerView } from '../../render/views.ts';
import { QueryArtifact } from '../../service/schema/query.ts';
import type { Question } from '../../store/questions.ts';
import { readPayload, withoutMembership } from './dm.ts';
import type { ContentSource } from './source.ts';

const Artifacts = z.array(QueryArtifact);

const states: Record<Question['state'], AnswerView['state']> = {
  queued: 'queued',
  asking: 'growing',
  complete: 'complete',
  failed: 'failed',
};

export const answer: ContentSource = async (row, { store, simulated, identity }) => {
  const question = row.question_id === null ? null : await store.questions.get(row.question_id);
  const conversation = question ? await store.conversations.get(question.conversation) : null;
  if (!question || !conversation) return { kind: 'nothing' };
  const asksByCommand = row.thread_ts === null;
  const { shown = asksByCommand ? question.text : null } = readPayload(row);
  const parts = renderAnswerParts({
    questionId: question.id,
    askedBy: shown !== null || question.asker !== conversation.started_by ? question.asker : null,
    question: shown,
    answer: question.answer,
    artifacts: Artifacts.parse(JSON.parse(question.artifacts)),
    state: states[question.state],
    note: question.note,
    simulated,
  });
  const [first, ...rest] = parts;
  return {
    kind: 'messages',
    parts: [withoutMembership(first, row, identity.botUserId), ...rest],
    channel: row.channel,
    threadTs: row.thread_ts,
  };
};
