import type { Clock } from '../../lib/clock.ts';
import type { Fault } from '../shop/faults.ts';
import type { Problem } from './tools/problem.ts';
import { symptomOf, TROUBLES } from './troubles.ts';

/** Invents what alerts are about: every call is another problem. */
export type Problems = (about?: Partial<Pick<Problem, 'service' | 'symptom'>>) => Problem;

/**
 * Problems of what is broken in the shop; while nothing is, of one service after the other. The numbers go on where an
 * earlier start of the program left off, as long as it made fewer than ten a second.
 *
 * @param broken what the next alert is about, if anything is broken
 */
export function createProblems(clock: Clock, broken: () => Fault | undefined): Problems {
  let number = 100_000 + (Math.floor(clock.now() / 100) % 900_000);
  let turn = 0;
  return (about) => {
    number = number < 999_999 ? number + 1 : 100_000;
    const fault = broken();
    const place = fault
      ? { service: fault.service, symptom: symptomOf(fault.kind) }
      : QUIET[turn++ % QUIET.length];
    return { service: 'payments', symptom: 'Requests fail', ...place, ...about, number, since: clock.now() };
  };
}

const QUIET = TROUBLES.flatMap(({ services, symptom }) => services.map((service) => ({ service, symptom })));
