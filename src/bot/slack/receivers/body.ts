/** Whether a delivery's body is an object at all: Bolt takes that for granted, and ends the process otherwise. */
export function isBody(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
