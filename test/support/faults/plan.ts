import { type Chance, chanceFrom } from '../chaos/random.ts';
import { type Effect, type Fault, type FaultKind, faultKinds, type Injected, noneInjected } from './kinds.ts';

const SHORT_MS = { from: 50, below: 400 };
const HURRIED_RATE = 0.7;
const OUTAGE_MS = { from: 300, below: 700 };

/** A request, as far as it matters which fault can hit it. */
export interface Hit {
  /** The answer comes piece by piece. */
  isStream: boolean;
}

/** Which requests are hit by what: by seed and rate, until it is ended; then everything is quiet. */
export interface Plan {
  /** What happens to this request; `null` where it passes. Counts it. */
  next(hit: Hit): Fault | null;
  injected: Injected;
  /** The kinds that have not been dealt yet. */
  missing(): FaultKind[];
  /** Nothing much happens any more: from now on most requests are hit. */
  hurry(): void;
  end(): void;
}

export interface PlanOptions {
  seed: number;
  /** Of the requests, from 0 to 1. */
  rate: number;
  /** Whether answers are streams here: then only those are cut in the middle. */
  streams: boolean;
  /** What is dealt; every kind, if not said. */
  kinds?: readonly FaultKind[];
}

/** Deals the kinds like cards, so that each has its turn, however few requests there are. */
export function createPlan({ seed, rate, streams, kinds = faultKinds }: PlanOptions): Plan {
  const chance = chanceFrom(seed);
  const injected = noneInjected();
  const dealt = new Set<FaultKind>();
  let deck: FaultKind[] = [];
  let often = rate;
  let over = false;

  function draw(hit: Hit): FaultKind | undefined {
    // Streams are few: the first ones are cut.
    const isUrgent = hit.isStream && !dealt.has('truncated stream');
    const fits = (kind: FaultKind) => (kind === 'truncated stream' ? hit.isStream || !streams : !isUrgent);
    if (!deck.some(fits)) deck = [...deck, ...shuffled(kinds, chance)];
    const kind = deck.find(fits);
    deck = deck.toSpliced(deck.findIndex(fits), 1);
    return kind;
  }

  return {
    injected,
    next: (hit) => {
      if (over || !chance.is(often)) return null;
      const kind = draw(hit);
      if (kind === undefined) return null;
      dealt.add(kind);
      injected[kind] += 1;
      return { kind, effect: effectOf(kind, chance), ms: lengthOf(kind, chance) };
    },
    missing: () => kinds.filter((kind) => !dealt.has(kind)),
    hurry: () => {
      often = HURRIED_RATE;
    },
    end: () => {
      over = true;
    },
  };
}

function effectOf(kind: FaultKind, chance: Chance): Effect {
  if (kind === 'latency' || kind === 'reset after the effect' || kind.startsWith('truncated')) {
    return 'happens';
  }
  const either = kind === '500' || kind === '502' || kind === '503' || kind === 'HTML';
  return either && chance.is(0.5) ? 'happens' : 'does not happen';
}

function lengthOf(kind: FaultKind, chance: Chance): number {
  const { from, below } = kind === 'refused connections' || kind === 'unknown host' ? OUTAGE_MS : SHORT_MS;
  return from + chance.below(below);
}

function shuffled<T>(of: readonly T[], chance: Chance): T[] {
  const left = [...of];
  return of.flatMap(() => left.splice(chance.below(left.length), 1));
}
