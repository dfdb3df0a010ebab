import type { Intent } from '../types.ts';

const COMMAND = /^\W*(?:please\s+)?(?:delete|resolve|close|mute|unmute|reopen|set|mark)\b/iu;

/** What was #12? And, in an issue's thread: what is this about? */
export const issue: Intent = {
  name: 'issue',
  example: 'What was #12?',
  offline: true,
  matches: ({ question, numberNamed, number, named }) =>
    numberNamed !== null ||
    (number !== null &&
      named.length === 0 &&
      /^why\b\W*$|root cause|what (?:happened|is this|was (?:it|this|that))|summar|this issue/iu.test(
        question,
      )),
  answer({ question, number, context }, { issue: brief }) {
    if (!brief)
      return context?.rootCause
        ? `#${number} ${context.title}: ${context.rootCause}`
        : `I can’t find issue #${number}. It may have been deleted, or belong to another organisation.`;
    const { title, status, severity, environment, rootCauseSummary, remediation } = brief;
    const cause =
      rootCauseSummary ??
      (status === 'investigating' ? 'still under investigation.' : 'the investigation found none.');
    const actions =
      remediation.length === 0 ? [] : ['', '**Remediation**', ...remediation.map((action) => `- ${action}`)];
    return [
      ...(COMMAND.test(question) ? [`I’m read-only, so #${number} is unchanged.`, ''] : []),
      `**#${number} ${title}** (${status.replaceAll('_', ' ')}, ${severity}, ${environment})`,
      '',
      `**Root cause:** ${cause}`,
      ...actions,
    ].join('\n');
  },
};
