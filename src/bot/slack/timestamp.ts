/** A moment (milliseconds since 1970) as Slack writes the `ts` of a message. */
export function slackTs(ms: number): string {
  return (ms / 1000).toFixed(6);
}

/** The moment of a message, in milliseconds since 1970. */
export function timeOfTs(ts: string): number {
  return Math.floor(Number(ts) * 1000);
}
