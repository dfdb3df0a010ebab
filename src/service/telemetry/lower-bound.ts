/** Index of the first of ascending values that is not below `least`; their number if all are. */
export function lowerBound(ascending: ArrayLike<number>, least: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ascending[middle] ?? Number.POSITIVE_INFINITY) >= least) high = middle;
    else low = middle + 1;
  }
  return low;
}
