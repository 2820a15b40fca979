void addFirst(Table &table) {
  table.add<AddOp>(evalAdd);
  table.add<SubOp>(evalSub);
  table.add<MulOp>(evalMul);
  table.add<DivOp>(evalDiv);
  table.add<MinOp>(evalMin);
  table.add<MaxOp>(evalMax);
  table.add<AndOp>(evalAnd);
  table.add<OrOp>(evalOr);
  table.add<XorOp>(evalXor);
  table.add<ShiftOp>(evalShift);
  table.add<NegOp>(evalNeg);
  table.add<AbsOp>(evalAbs);
}

void addSecond(Table &table) {
  table.add<ExpOp>(evalExp);
  table.add<LogOp>(evalLog);
  table.add<SinOp>(evalSin);
  table.add<CosOp>(evalCos);
  table.add<TanOp>(evalTan);
  table.add<ErfOp>(evalErf);
  table.add<SqrtOp>(evalSqrt);
  table.add<CbrtOp>(evalCbrt);
  table.add<FloorOp>(evalFloor);
  table.add<CeilOp>(evalCeil);
  table.add<RoundOp>(evalRound);
  table.add<TruncOp>(evalTrunc);
}
