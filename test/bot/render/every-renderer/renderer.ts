import type { HomeView, ModalView } from '@slack/types';
import fc from 'fast-check';
import type { Rendered } from '../../../../src/bot/render/rendered.ts';

/** What a renderer makes: a message, a modal, or a Home. */
export type Surface = Rendered | ModalView | HomeView;

/** A renderer with every input that it may get. */
export interface Renderer {
  /** Of the function. */
  name: string;
  /** Whether the claim holds of whatever it renders; throws with the smallest input of which it does not. */
  holds(claim: (surfaces: readonly Surface[]) => void, runs: number): void;
}

/** Enters a renderer, with an arbitrary for each of its arguments. */
export function renderer<A extends unknown[]>(
  render: (...args: A) => Surface | readonly Surface[],
  ...inputs: { [K in keyof A]: fc.Arbitrary<A[K]> }
): Renderer {
  return {
    name: render.name,
    holds: (claim, runs) =>
      fc.assert(
        fc.property(fc.tuple<A>(...inputs), (args) => claim([render(...args)].flat())),
        { numRuns: runs },
      ),
  };
}
