/** What a vote is about: a version's results, or an answer. */
export type VoteSubject = { issueId: string; version: number } | { questionId: string };

const KEY = /^(?:answer:(?<questionId>.+)|result:(?<issueId>.+):(?<version>\d{1,9}))$/u;

/** The key of the votes on something: it is stored with them, and the buttons carry it. */
export function voteKey(subject: VoteSubject): string {
  return 'questionId' in subject
    ? `answer:${subject.questionId}`
    : `${voteKeyPrefix(subject.issueId)}${subject.version}`;
}

/** What the keys of the votes on all versions of an issue begin with. */
export function voteKeyPrefix(issueId: string): string {
  return `result:${issueId}:`;
}

/** What a key is about; `null` for what is none. */
export function parseVoteKey(key: string): VoteSubject | null {
  const { questionId, issueId, version } = KEY.exec(key)?.groups ?? {};
  if (questionId !== undefined) return { questionId };
  return issueId === undefined ? null : { issueId, version: Number(version) };
}
