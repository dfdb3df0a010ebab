/** A command with an optional prefix, so that `/dev-investigate` works beside `/investigate` (DESIGN section 3). */
export function commandPattern(name: string): RegExp {
  return new RegExp(`^/(?:[a-z0-9_]+-)*${name}$`, 'iu');
}
