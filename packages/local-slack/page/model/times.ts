const DAY_MS = 24 * 60 * 60_000;

/** `10:41 AM`, in the reader's zone. */
export function clockTime(at: number): string {
  return new Date(at).toLocaleTimeString('en-US', { hour: 'numeric', minute: '2-digit' });
}

/** `Friday, November 20 at 10:41:07 AM`, for a hint. */
export function fullTime(at: number): string {
  return new Date(at).toLocaleString('en-US', { dateStyle: 'full', timeStyle: 'medium' });
}

/** `Today`, `Yesterday`, else the date with its weekday. */
export function dayName(at: number, now: number): string {
  const day = new Date(at).toDateString();
  if (day === new Date(now).toDateString()) return 'Today';
  if (day === new Date(now - DAY_MS).toDateString()) return 'Yesterday';
  return new Date(at).toLocaleDateString('en-US', { weekday: 'long', month: 'long', day: 'numeric' });
}

/** How long ago, as Slack says it under a thread: `just now`, `5 minutes ago`, `2 days ago`. */
export function ago(at: number, now: number): string {
  const minutes = Math.floor((now - at) / 60_000);
  if (minutes < 1) return 'just now';
  if (minutes < 60) return counted(minutes, 'minute');
  if (minutes < 24 * 60) return counted(Math.floor(minutes / 60), 'hour');
  return counted(Math.floor(minutes / (24 * 60)), 'day');
}

function counted(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? '' : 's'} ago`;
}
