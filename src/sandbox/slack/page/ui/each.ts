import { createElement, Fragment, type ReactNode } from 'react';

/** Draws items one after the other, told apart by their place alone: for parts that have no identity of their own. */
export function each<T>(items: readonly T[], draw: (item: T, index: number) => ReactNode): ReactNode {
  return createElement(Fragment, null, ...items.map(draw));
}
