// What the modules under app/game say of many cases of a kind; run in a page, which has no other access to them.
async ({ kind, cases }) => {
  const names = ["game", "thresholds", "reasons", "position", "review", "record", "expected", "scores", "verify", "sha256", "faces", "distribution", "qualities", "notation"];
  const found = await Promise.all(names.map((name) => import(`/static/app/game/${name}.js`)));
  const m = Object.fromEntries(names.map((name, i) => [name, found[i]]));
  const refusable = (work) => (one) => {
    try {
      return work(one);
    } catch (error) {
      if (error.name !== "Wrong") throw error;
      return { field: error.field, problem: error.problem };
    }
  };
  const told = {
    dice: refusable((text) => {
      const { notation, support, counts, total, mean, sd } = m.distribution.parseDistribution(text);
      return { notation, support, counts: counts.map(String), total: String(total), mean, sd };
    }),
    slots: refusable((slots) => {
      const game = m.game.gameOf("1d6", slots);
      return { slots: game.slots, multipliers: game.multipliers };
    }),
    solution({ dice, slots }) {
      const game = m.game.gameOf(dice, slots);
      return {
        slots: game.multipliers,
        expected: m.expected.expectedScores(game),
        thresholds: m.thresholds.rowsOf(game.distribution, game.size).map((row) => row.expected),
      };
    },
    advice({ dice, slots, free, roll }) {
      const game = m.game.gameOf(dice, slots);
      const { best, bestSlots, moves } = m.thresholds.adviseSlots(game, free, roll);
      return {
        roll,
        best,
        best_slots: bestSlots,
        moves: moves.map((move) => ({ slot: move.slot, value: move.value, loss: move.loss, class: move.class })),
        reason: m.reasons.reasonFor(game, free, roll),
        chosen: m.thresholds.bestSlot(game, free, roll),
      };
    },
    review(line) {
      const { position, tags } = m.record.parseRecord(line);
      const found = m.review.review(position, tags);
      const distribution = found.finished ? m.scores.scoreDistribution(m.position.start(position.game)) : null;
      return { ...found, percentile: distribution && m.scores.atMost(distribution, found.score) };
    },
    record: refusable((line) => {
      const record = m.record.parseRecord(line);
      return { line: m.record.formatRecord(record), json: m.record.recordToJson(record) };
    }),
    json: refusable((source) => m.record.formatRecord(m.record.recordFromJson(source))),
    checked: async ({ game, start }) => {
      try {
        return await m.verify.checkGame(game, start);
      } catch (error) {
        if (error.name !== "Wrong") throw error;
        return { field: error.field };
      }
    },
    distribution({ dice, slots, moves }) {
      const position = m.position.replay(m.game.gameOf(dice, slots), m.record.parseMoves(moves));
      const distribution = m.scores.scoreDistribution(position);
      return { ...m.scores.moments(distribution), pmf: distribution.scores.map((score, i) => [score, distribution.chances[i]]), median: m.scores.quantile(distribution, 0.5) };
    },
    digest: (text) => m.sha256.hex(m.sha256.sha256Bytes(new TextEncoder().encode(text))),
    faces: ({ dice, roll, seed }) => m.faces.facesOf(dice, roll, seed).map(({ face }) => face),
    rolls: ({ dice, count }) => m.distribution.drawRolls(m.distribution.parseDistribution(dice), count),
    limits: () => m.notation.LIMITS,
    quality: (cost) => m.qualities.classOf(cost).name,
  };
  return Promise.all(cases.map(told[kind]));
}
