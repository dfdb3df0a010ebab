import type { ReactNode } from 'react';

const DOT = (fill: string, edge = 'none') => <circle cx="10" cy="10" r="8" fill={fill} stroke={edge} />;
const TICK = (stroke: string) => (
  <path d="M5 10.5 8.5 14 15 6.5" fill="none" stroke={stroke} strokeWidth="2.6" strokeLinecap="round" />
);
const BELL = (
  <>
    <path d="M10 2c3.6 0 5 2.7 5 6 0 3.5 1.5 4.6 2 5.5H3c.5-.9 2-2 2-5.5 0-3.3 1.4-6 5-6Z" fill="#f4b400" />
    <path d="M7.8 15h4.4a2.2 2.2 0 0 1-4.4 0Z" fill="#9a6b00" />
  </>
);
const LENS = (
  <>
    <path d="m12 12 5.2 5.2" stroke="#7a4b22" strokeWidth="3" strokeLinecap="round" />
    <circle cx="8" cy="8" r="5.4" fill="#d8effa" stroke="#4a5560" strokeWidth="1.8" />
  </>
);
const THUMB = (
  <>
    <path
      d="M7 9 10 2.5c2 0 2.6 1.4 2.2 3L11.7 8H16c1.3 0 2 1 1.7 2.2l-1.3 5.3c-.3 1-1 1.5-2 1.5H7Z"
      fill="#ffc93c"
    />
    <path d="M2.5 8.5H6v8.5H2.5Z" fill="#1f7fc4" />
  </>
);

const THUMB_DOWN = <g transform="matrix(1 0 0 -1 0 20)">{THUMB}</g>;

/** White signs on a blue button. */
const BUTTON = (sign: string) => (
  <>
    <rect x="1.5" y="1.5" width="17" height="17" rx="4" fill="#1f7fc4" />
    <path d={sign} fill="#fff" />
  </>
);

// Own drawings, 20 by 20: machines without an emoji font would show boxes for just those that alerts are full of.
const PICTURES: Readonly<Record<string, ReactNode>> = {
  '+1': THUMB,
  '-1': THUMB_DOWN,
  alarm_clock: (
    <>
      <path
        d="m5.5 16-2 2.5M14.5 16l2 2.5M2 6l4-4M18 6l-4-4"
        stroke="#5b6770"
        strokeWidth="2"
        strokeLinecap="round"
      />
      <circle cx="10" cy="10.5" r="6.8" fill="#f3f6f8" stroke="#dd2e44" strokeWidth="2" />
      <path d="M10 6.5v4l2.5 2" fill="none" stroke="#231f20" strokeWidth="1.6" strokeLinecap="round" />
    </>
  ),
  arrow_forward: BUTTON('M6.5 5v10l8.5-5Z'),
  arrows_counterclockwise: (
    <>
      <rect x="1.5" y="1.5" width="17" height="17" rx="4" fill="#1f7fc4" />
      <path
        d="M14.5 9A4.8 4.8 0 0 0 6 6.8M5.5 11a4.8 4.8 0 0 0 8.5 2.2"
        stroke="#fff"
        strokeWidth="1.8"
        fill="none"
      />
      <path d="M4.5 4.2v4h4ZM15.5 15.8v-4h-4Z" fill="#fff" />
    </>
  ),
  bar_chart: (
    <>
      <path d="M2 2h16v16H2Z" fill="#f3f6f8" />
      <path d="M4 9h3v8H4Z" fill="#2bac76" />
      <path d="M8.5 5h3v12h-3Z" fill="#e0443e" />
      <path d="M13 11h3v6h-3Z" fill="#1f7fc4" />
    </>
  ),
  bell: BELL,
  black_circle: DOT('#31373d'),
  black_right_pointing_double_triangle_with_vertical_bar: BUTTON(
    'M4 5.5v9l5-4.5ZM9 5.5v9l5-4.5ZM14 5.5h2v9h-2Z',
  ),
  bulb: (
    <>
      <path d="M10 1.5a6 6 0 0 1 3.5 10.8V14h-7v-1.7A6 6 0 0 1 10 1.5Z" fill="#ffd93b" />
      <path d="M7 14.5h6v2L11.5 18.5h-3L7 16.5Z" fill="#8b97a3" />
    </>
  ),
  eyes: (
    <>
      <ellipse cx="5.8" cy="10" rx="4.3" ry="6.5" fill="#fff" stroke="#8b97a3" />
      <ellipse cx="14.4" cy="10" rx="4.3" ry="6.5" fill="#fff" stroke="#8b97a3" />
      <ellipse cx="4.6" cy="10.5" rx="2" ry="3" fill="#3b2a1a" />
      <ellipse cx="13.2" cy="10.5" rx="2" ry="3" fill="#3b2a1a" />
    </>
  ),
  fire: (
    <>
      <path
        d="M10.5 1c.5 3 5.5 5 5.5 10.5A6 6.5 0 0 1 10 19a6 6.5 0 0 1-6-7c0-2.5 1.2-4 2.5-5.5.3 1.5.8 2.2 1.5 2.5C8 6 8.5 3 10.5 1Z"
        fill="#f4581c"
      />
      <path
        d="M10.3 9.5c.4 1.8 2.7 2.8 2.7 5.3A3 3.4 0 0 1 10 18.2a3 3.4 0 0 1-3-3.5c0-2 2-3 3.3-5.2Z"
        fill="#ffc93c"
      />
    </>
  ),
  gear: (
    <>
      <circle
        cx="10"
        cy="10"
        r="7.4"
        fill="none"
        stroke="#5b6770"
        strokeWidth="3"
        strokeDasharray="3.4 2.4"
      />
      <circle cx="10" cy="10" r="4.6" fill="none" stroke="#5b6770" strokeWidth="3.4" />
    </>
  ),
  green_heart: (
    <path
      d="M10 17.5C4.5 13 2 10.4 2 7a4 4 0 0 1 8-1.6A4 4 0 0 1 18 7c0 3.4-2.5 6-8 10.500Z"
      fill="#2bac76"
    />
  ),
  hammer_and_wrench: (
    <>
      <path d="m4 16 9.5-9.5" stroke="#8a5a2b" strokeWidth="2.6" strokeLinecap="round" />
      <path d="m10.5 3.5 6 6-2 2-6-6Z" fill="#5b6770" />
      <path d="m16 16-9-9" stroke="#8b97a3" strokeWidth="2.6" strokeLinecap="round" />
      <circle cx="5.5" cy="5.5" r="2.4" fill="none" stroke="#8b97a3" strokeWidth="2.2" />
    </>
  ),
  heavy_check_mark: TICK('#31373d'),
  hole: <ellipse cx="10" cy="11" rx="8.5" ry="4.5" fill="#231f20" stroke="#8b97a3" />,
  hourglass_flowing_sand: (
    <>
      <path d="M5 3h10c0 4-3.5 5-3.5 7s3.5 3 3.5 7H5c0-4 3.5-5 3.5-7S5 7 5 3Z" fill="#d8effa" />
      <path d="M6.8 6h6.4L10 10ZM10 12.5l3.5 4.5h-7Z" fill="#e8a33d" />
      <path d="M4 2.5h12M4 17.5h12" stroke="#7a4b22" strokeWidth="2" strokeLinecap="round" />
    </>
  ),
  key: (
    <>
      <circle cx="6.5" cy="6.5" r="4" fill="none" stroke="#e8a33d" strokeWidth="2.6" />
      <path
        d="m9.5 9.5 7.5 7.5M13 13l2.4-2.4M15.6 15.6l2-2"
        stroke="#e8a33d"
        strokeWidth="2.2"
        strokeLinecap="round"
      />
    </>
  ),
  large_blue_circle: DOT('#1f7fc4'),
  large_green_circle: DOT('#2bac76'),
  large_orange_circle: DOT('#f4900c'),
  large_yellow_circle: DOT('#fdcb58'),
  lock: (
    <>
      <path d="M6 9V6a4 4 0 0 1 8 0v3" fill="none" stroke="#8b97a3" strokeWidth="2.2" />
      <rect x="3.5" y="9" width="13" height="9" rx="2" fill="#f4b400" />
    </>
  ),
  mag: LENS,
  mag_right: <g transform="matrix(-1 0 0 1 20 0)">{LENS}</g>,
  memo: (
    <>
      <path d="M3 2h14v16H3Z" fill="#f3f6f8" stroke="#8b97a3" />
      <path d="M6 6h8M6 9.5h8M6 13h5" stroke="#5b6770" strokeWidth="1.4" />
    </>
  ),
  no_bell: (
    <>
      {BELL}
      <path d="m3 2.5 14 15" stroke="#dd2e44" strokeWidth="2.6" strokeLinecap="round" />
    </>
  ),
  pause_button: BUTTON('M6 5h2.800v10H6ZM11.2 5H14v10h-2.800Z'),
  raised_hand: (
    <path
      d="M5 11V5.500a1.2 1.2 0 0 1 2.4 0V3.200a1.2 1.2 0 0 1 2.4 0V2.600a1.2 1.2 0 0 1 2.4 0v1.600a1.2 1.2 0 0 1 2.4 0V11l1.5-1.800c.9-1 2.2-.2 1.7 1L15.5 15c-1 2.3-2.5 3.5-5 3.500C7 18.5 5 16 5 13Z"
      fill="#ffc93c"
      stroke="#d99e00"
      strokeWidth=".7"
    />
  ),
  red_circle: DOT('#dd2e44'),
  repeat: BUTTON(
    'M4 9.500V7.500C4 6 5 5 6.5 5H12V3l4 3-4 3V7H6.500v2.500ZM16 10.500v2c0 1.5-1 2.5-2.5 2.500H8v2l-4-3 4-3v2h5.500v-2.500Z',
  ),
  rotating_light: (
    <>
      <path d="M4.5 14V10a5.5 5.5 0 0 1 11 0v4Z" fill="#e0443e" />
      <path d="M3 14h14v4H3Z" fill="#5b6770" />
      <path d="M10 1v2M3 3.5 4.5 5M17 3.5 15.5 5" stroke="#f4900c" strokeWidth="1.8" strokeLinecap="round" />
      <path d="M8 13v-3a2 2 0 0 1 2-2" stroke="#ffd0cd" strokeWidth="1.6" fill="none" strokeLinecap="round" />
    </>
  ),
  speech_balloon: (
    <path
      d="M10 3c4.7 0 8.5 2.7 8.5 6.200S14.7 15.4 10 15.400c-.8 0-1.6-.1-2.3-.2L3.5 18l.8-4.200C2.6 12.6 1.5 11 1.5 9.2 1.5 5.7 5.3 3 10 3Z"
      fill="#f3f6f8"
      stroke="#8b97a3"
    />
  ),
  tada: (
    <>
      <path d="M2 18 7 6l7 7Z" fill="#ffc93c" />
      <path d="m9 5 2-3M13 8l4-1M15 12.5l3 1.5" stroke="#1f7fc4" strokeWidth="1.8" strokeLinecap="round" />
      <circle cx="14.5" cy="3.5" r="1.4" fill="#dd2e44" />
      <circle cx="17.5" cy="10.5" r="1.2" fill="#2bac76" />
    </>
  ),
  thumbsdown: THUMB_DOWN,
  thumbsup: THUMB,
  warning: (
    <>
      <path d="M10 2.2 18.6 17H1.4Z" fill="#ffcc4d" stroke="#d99e00" strokeLinejoin="round" />
      <path d="M10 7v5" stroke="#231f20" strokeWidth="2" strokeLinecap="round" />
      <circle cx="10" cy="14.7" r="1.2" fill="#231f20" />
    </>
  ),
  wastebasket: (
    <>
      <path d="M4.5 6h11l-1 12.5h-9Z" fill="#b8c2cc" />
      <path d="M8 9v6.5M12 9v6.5" stroke="#5b6770" strokeWidth="1.4" strokeLinecap="round" />
      <path d="M3 5h14M8 3h4" stroke="#5b6770" strokeWidth="2" strokeLinecap="round" />
    </>
  ),
  white_check_mark: (
    <>
      <rect x="1.5" y="1.5" width="17" height="17" rx="4" fill="#2bac76" />
      {TICK('#fff')}
    </>
  ),
  white_circle: DOT('#fff', '#8b97a3'),
  white_large_square: <rect x="2" y="2" width="16" height="16" rx="2" fill="#f3f6f8" stroke="#8b97a3" />,
  wrench: (
    <>
      <path d="m7.5 7.5 9 9" stroke="#8b97a3" strokeWidth="3.2" strokeLinecap="round" />
      <path d="M2.5 6.5A4 4 0 0 0 8 8.5 4 4 0 0 0 6.5 2.5L7 5.5 5.5 7Z" fill="#8b97a3" />
    </>
  ),
  x: <path d="m4 4 12 12M16 4 4 16" stroke="#dd2e44" strokeWidth="3.6" strokeLinecap="round" />,
  zzz: (
    <path
      d="M2.5 10.500h6.500l-6.5 7h6.500M10 5h4.500L10 10h4.500M15 1.500h3L15 5h3"
      fill="none"
      stroke="#1f7fc4"
      strokeWidth="1.8"
      strokeLinejoin="round"
    />
  ),
};

/** The picture of a shortcode without its colons, to stand in an `<svg viewBox="0 0 20 20">`; `null` where none is drawn. */
export function pictureOf(name: string): ReactNode | null {
  return Object.hasOwn(PICTURES, name) ? PICTURES[name] : null;
}
