import dns, { lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';

const forgotten = new Map<string, number>();

/**
 * Has these names lead to this machine, except while they are forgotten: then they fail as unknown names do. Node's
 * connections look `dns.lookup` up each time.
 */
export function knowNames(names: readonly string[]): void {
  const known = new Set(names);
  const local: LookupFunction = (name, options, callback) => {
    if (!known.has(name)) return lookup(name, options, callback);
    if ((forgotten.get(name) ?? 0) <= Date.now()) return lookup('127.0.0.1', options, callback);
    const error = new Error(`getaddrinfo ENOTFOUND ${name}`);
    const facts = { code: 'ENOTFOUND', syscall: 'getaddrinfo', hostname: name };
    queueMicrotask(() => callback(Object.assign(error, facts), ''));
  };
  Object.defineProperty(dns, 'lookup', { value: local });
}

/** For so long, in milliseconds of the machine. */
export function forgetName(name: string, ms: number): void {
  forgotten.set(name, Date.now() + ms);
}
