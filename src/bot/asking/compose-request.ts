import { cutAtWord, oneLine } from '../../lib/text.ts';
import type { ReadFile, ThreadMessage } from './agent-context.ts';

/** What a request to the agent is made of. All of it is text from outside. */
export interface RequestParts {
  /** What the thread is about; `null` for nothing in particular. */
  about: string | null;
  /** What people said in the thread before, oldest first. */
  talk: readonly ThreadMessage[];
  /** What the agent was asked before and has forgotten, oldest first. */
  before: readonly { question: string; answer: string }[];
  files: readonly ReadFile[];
  question: string;
}

/** What goes to the agent. */
export interface Composed {
  words: string;
  /** The files that do not go along, each with its reason; untrusted. `null` if all do. */
  notRead: string | null;
}

const MAX_TALK = 8_000;
const MAX_MESSAGE = 4_000;
const MAX_SPEAKER = 80;
const MAX_FORMER_QUESTION = 500;
const MAX_FORMER_ANSWER = 1_500;
const MAX_FILE_NAME = 200;
const KB = 1_024;
const MAX_FILE_BYTES = 50 * KB;
const MAX_FILES_BYTES = 100 * KB;
const MAX_BYTES = 160 * KB;

/**
 * The words that go to the agent: the question alone where nothing precedes it; else each part that there is, parted by
 * blank lines, and the question last, after a line `The question:` like which none stands before it.
 *
 * What does not fit is left out, the files first; the question is never cut.
 */
export function composeRequest({ about, talk, before, files, question }: RequestParts): Composed {
  const parts: string[] = [];
  let bytes = sizeOf(question);
  for (const part of [about, talkPart(talk), beforePart(before)]) {
    if (part === null || bytes + sizeOf(part) > MAX_BYTES) continue;
    parts.push(part);
    bytes += sizeOf(part);
  }
  const { read, notRead } = fileParts(files, MAX_BYTES - bytes);
  parts.push(...read, ...(notRead === null ? [] : [notRead]));
  if (parts.length === 0) return { words: question, notRead };
  return { words: [...parts.map(withoutOurLine), `The question:\n${question}`].join('\n\n'), notRead };
}

/** Each line says who speaks, so that nothing that people write looks like a part of its own. */
function talkPart(talk: readonly ThreadMessage[]): string | null {
  const messages: string[] = [];
  let length = 0;
  for (const { speaker, text } of talk.toReversed()) {
    const name = cutAtWord(oneLine(speaker), MAX_SPEAKER);
    const lines = linesOf(cutAtWord(text, MAX_MESSAGE)).map((line) => `${name}: ${line}`);
    const message = lines.join('\n');
    length += message.length + 1;
    if (length > MAX_TALK) break;
    if (message !== '') messages.unshift(message);
  }
  return messages.length === 0 ? null : ['Said in this thread before:', ...messages].join('\n');
}

function beforePart(before: RequestParts['before']): string | null {
  if (before.length === 0) return null;
  const told = before.map(({ question, answer }) => {
    const answered = linesOf(cutAtWord(answer, MAX_FORMER_ANSWER)).join('\n');
    return `Question: ${cutAtWord(oneLine(question), MAX_FORMER_QUESTION)}\nAnswer: ${answered}`;
  });
  return ['Asked and answered before:', ...told].join('\n');
}

function fileParts(files: readonly ReadFile[], room: number): { read: string[]; notRead: string | null } {
  const read: string[] = [];
  const notRead: string[] = [];
  let left = Math.min(room, MAX_FILES_BYTES);
  for (const file of files) {
    const name = cutAtWord(oneLine(file.name), MAX_FILE_NAME);
    const taken = 'text' in file ? fits(file.text, left) : file.notRead;
    if (taken !== null) {
      notRead.push(`${name} (${taken})`);
    } else if ('text' in file) {
      read.push(`Attached file ${name}:\n${file.text.trimEnd()}`);
      left -= sizeOf(file.text);
    }
  }
  return { read, notRead: notRead.length === 0 ? null : `Not read: ${notRead.join(', ')}` };
}

/** Why a file's text does not go along; `null` if it does. */
function fits(text: string, left: number): string | null {
  const bytes = sizeOf(text);
  if (bytes > MAX_FILE_BYTES) return 'larger than 50 kB';
  return bytes > left ? 'too much together with the rest' : null;
}

/** Lines without the blank ones. */
function linesOf(text: string): string[] {
  return text
    .split(/[\r\n\u2028\u2029]+/u)
    .map((line) => line.trimEnd())
    .filter((line) => line !== '');
}

function withoutOurLine(part: string): string {
  return part.replace(/^(?=The question:[^\S\n]*$)/gmu, ' ');
}

function sizeOf(text: string): number {
  return Buffer.byteLength(text);
}
