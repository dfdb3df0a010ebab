import type { Intent } from '../types.ts';

const COMMAND = /^\W*(?:please\s+)?(?:delete|resolve|close|mute|unmute|reopen|set|mark)\b/iu;

/** What was #12? And, in an issue's thread: what is this about? */
export const issue: Intent = {
  name: 'issue',
  example: 'What was #12?',
  matches: ({ question, numberNamed, number, named }) =>
    numberNamed !== null ||
    (number !== null &&
      named.length === 0 &&
      /^why\b\W*$|root cause|what (?:happened|is this|was (?:it|this|that))|summar|this issue/iu.test(
        question,
      )),
  answer({ question, number, told }, { issues }) {
    const brief = number === null ? null : issues.byNumber(number);
    if (!brief)
      return told?.rootCause
        ? `#${number} ${told.title}: ${told.rootCause}`
        : `I know no issue #${number}. It may have been deleted, or belong to someone else.`;
    const { title, status, severity, environment, rootCauseSummary, remediation } = brief;
    const cause =
      rootCauseSummary ??
      (status === 'investigating'
        ? 'It is still being investigated; no cause is known yet.'
        : 'The investigation found no cause.');
    const actions =
      remediation.length === 0 ? [] : ['', '**What to do**', ...remediation.map((action) => `- ${action}`)];
    return [
      ...(COMMAND.test(question) ? [`I only read, and change nothing: #${number} is as it was.`, ''] : []),
      `**#${number} ${title}** (${status.replaceAll('_', ' ')}, ${severity}, ${environment})`,
      '',
      `**Root cause:** ${cause}`,
      ...actions,
    ].join('\n');
  },
};
