import { expect, it } from 'vitest';
import { benchSteady } from '../bench/load/acknowledging.ts';

it.each(['http', 'socket'] as const)(
  'of hundreds of deliveries that pour in over %s each is acknowledged, and none that is acknowledged is lost',
  async (mode) => {
    const { sent, lost } = await benchSteady(mode, 2, 200);
    expect({ acknowledged: new Set(sent.acknowledged).size, refused: sent.refused, lost }).toEqual({
      acknowledged: 400,
      refused: 0,
      lost: 0,
    });
  },
);
