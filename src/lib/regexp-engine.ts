import { setFlagsFromString } from 'node:v8';

/**
 * V8 first interprets a regular expression, and compiles it once it has run often. In the V8 of Node 26 (14.6), the
 * compiled form of a case-insensitive one may match as if case mattered, after a process has compiled many: names that
 * are to be taken out of a text stay in it. So expressions are compiled at once, which has not shown that. Every program
 * imports this file before all others.
 */
setFlagsFromString('--no-regexp-tier-up');
