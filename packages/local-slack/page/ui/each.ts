import { createElement, Fragment, type ReactNode } from 'react';

/** Draws items in order, keyed by position: for parts without an identity of their own. */
export function each<T>(items: readonly T[], draw: (item: T, index: number) => ReactNode): ReactNode {
  return createElement(Fragment, null, ...items.map(draw));
}
