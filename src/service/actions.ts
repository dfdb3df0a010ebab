import { nearest } from '../lib/text.ts';
import { REMEDIES } from './investigation/kinds/remedies.ts';

/** A line of the file `ACTIONS`: what a team does about a kind of cause at some services. */
export interface OwnAction {
  /** A name in which `*` is any text. */
  services: string;
  /** A kind of cause by its name, or `*` for any. */
  kind: string;
  /** What the step is called; `null` if the line does not say. */
  title: string | null;
  /** A command or an address, with placeholders. */
  template: string;
}

/** What a line may leave open. */
export const PLACEHOLDERS = ['service', 'version', 'previous', 'instance'] as const;
const KINDS = new Map([...REMEDIES.keys()].map((kind) => [kind.replaceAll(' ', '-').toLowerCase(), kind]));
const LINE = /^(?<services>\S+)\s+(?<kind>\S+)\s+(?:(?<title>[^:]+?)\s+::\s+)?(?<template>\S.*)$/u;

/** Reads the file, or says which line is wrong. */
export function readActions(text: string): { actions: OwnAction[] } | { wrong: string } {
  const actions: OwnAction[] = [];
  for (const [i, raw] of text.split(/\r?\n/u).entries()) {
    const line = raw.trim();
    if (line === '' || line.startsWith('#')) continue;
    const wrong = (what: string) => ({ wrong: `line ${i + 1}: ${what}` });
    const { services, kind = '', title, template } = LINE.exec(line)?.groups ?? {};
    if (services === undefined || template === undefined)
      return wrong('must be a service, a kind of cause, and a command or an address');
    const known = kind === '*' ? kind : KINDS.get(kind.toLowerCase());
    if (known === undefined) return wrong(`"${kind}" is not one of *, ${[...KINDS.keys()].join(', ')}`);
    const slip = [...template.matchAll(/(?<!\$)\{([a-z]+)\}/gu)].flatMap(([, name = '']) => {
      const meant = PLACEHOLDERS.some((one) => one === name) ? null : nearest(name, [...PLACEHOLDERS]);
      return meant === null ? [] : [`{${name}} is not a placeholder: did you mean {${meant}}?`];
    })[0];
    if (slip !== undefined) return wrong(slip);
    actions.push({ services, kind: known, title: title ?? null, template });
  }
  return { actions };
}
