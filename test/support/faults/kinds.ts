/** What can go wrong with one request. */
export const faultKinds = [
  'latency',
  'reset before the effect',
  'reset after the effect',
  '429 with Retry-After',
  '429 without Retry-After',
  '500',
  '502',
  '503',
  'HTML',
  'truncated JSON',
  'truncated stream',
  'refused connections',
  'unknown host',
] as const;

export type FaultKind = (typeof faultKinds)[number];

/** Whether what was asked for happens all the same, and only the answer is lost or wrong. */
export type Effect = 'happens' | 'does not happen';

export interface Fault {
  kind: FaultKind;
  effect: Effect;
  /** How long it takes or lasts, in milliseconds of the machine. */
  ms: number;
}

/** How often each kind was injected. */
export type Injected = Record<FaultKind, number>;

export function noneInjected(): Injected {
  return {
    latency: 0,
    'reset before the effect': 0,
    'reset after the effect': 0,
    '429 with Retry-After': 0,
    '429 without Retry-After': 0,
    '500': 0,
    '502': 0,
    '503': 0,
    HTML: 0,
    'truncated JSON': 0,
    'truncated stream': 0,
    'refused connections': 0,
    'unknown host': 0,
  };
}
