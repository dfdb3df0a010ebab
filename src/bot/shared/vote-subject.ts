/** What a vote is about: a version's results, or an answer. */
export type VoteSubject = { issueId: string; version: number } | { questionId: string };

const KEY = /^(?:answer:(?<questionId>.+)|result:(?<issueId>.+):(?<version>\d{1,9}))$/u;

/** The key of a vote subject: stored with the votes, and carried by the buttons. */
export function voteKey(subject: VoteSubject): string {
  return 'questionId' in subject
    ? `answer:${subject.questionId}`
    : `${voteKeyPrefix(subject.issueId)}${subject.version}`;
}

export function voteKeyPrefix(issueId: string): string {
  return `result:${issueId}:`;
}

export function parseVoteKey(key: string): VoteSubject | null {
  const { questionId, issueId, version } = KEY.exec(key)?.groups ?? {};
  if (questionId !== undefined) return { questionId };
  return issueId === undefined ? null : { issueId, version: Number(version) };
}
