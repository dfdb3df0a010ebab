import type { TicketDraft } from './tracker.ts';

/** Ends what would be read as one word; nobody sees it. */
const APART = '\u200b';

/**
 * Untrusted text, as Markdown that reads literally at GitHub and Linear: it formats nothing, loads no picture, notifies
 * nobody (`@team`) and links to no issue (`#12`, `GH-12`, an issue's address), which would leave a mark there.
 */
export function literalMarkdown(text: string): string {
  return withoutLinks(withoutMentions(text))
    .replace(/[\\`*[\]|~$]/gu, String.raw`\$&`)
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, String.raw`\_`)
    .replace(/&(?=#|\w)/gu, '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}

/** Untrusted text of a title, where nothing is formatted or linked. */
export function withoutMentions(text: string): string {
  return text.replace(/@(?=[\w-])/gu, `@${APART}`);
}

function withoutLinks(text: string): string {
  return text
    .replace(/#(?=\d)/gu, `#${APART}`)
    .replace(/\bGH-(?=\d)/giu, `GH${APART}-`)
    .replace(/\b((?:github\.com|linear\.app))(?=\/)/giu, `$1${APART}`);
}

/** A draft as Markdown; it ends with the reference. */
export function draftAsMarkdown({ paragraphs, steps, slackUrl, reference }: TicketDraft): string {
  return [
    ...paragraphs.map(literalMarkdown),
    ...(steps.length === 0
      ? []
      : [steps.map(({ text, done }) => `- [${done ? 'x' : ' '}] ${literalMarkdown(text)}`).join('\n')]),
    ['---', ...(slackUrl === null ? [] : [`Slack: ${slackUrl}`]), `Reference: ${reference}`].join('\n'),
  ].join('\n\n');
}
