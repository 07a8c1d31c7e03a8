/**
 * Which variables depend on parameters. A variable is active in a body when anything active is assigned to it there;
 * an expression is active when an active variable enters it and its type holds reals.
 */
import type { IrExpression, IrStatement, IrVariable } from './ir.ts';
import { visitStatements } from './walk-ir.ts';

export class Activity {
  private readonly variables = new Set<IrVariable>();

  /** `hasTarget`: the log density itself is active here (not if everything is data). */
  constructor(private readonly hasTarget: boolean) {}

  mark(variable: IrVariable): void {
    this.variables.add(variable);
  }

  has(variable: IrVariable): boolean {
    return this.variables.has(variable);
  }

  isActive(e: IrExpression): boolean {
    if (e.type.base === 'int' || e.type.base === 'void') return false;
    switch (e.op) {
      case 'variable':
        return this.variables.has(e.variable);
      case 'call':
      case 'density':
      case 'mixed':
      case 'higher-order':
        return e.arguments.some((argument) => this.isActive(argument));
      case 'user':
        // A function that increments the target may return it; as in Stan, any active argument makes the result active.
        if (e.function.role === 'target' && this.hasTarget) return true;
        return e.arguments.some((argument) => this.isActive(argument));
      case 'conditional':
        return this.isActive(e.yes) || this.isActive(e.no);
      case 'index':
        return this.isActive(e.base);
      case 'list':
      case 'pack':
        return e.elements.some((element) => this.isActive(element));
      case 'member':
        return this.isActive(e.tuple);
      case 'target':
        return this.hasTarget;
      default:
        return false;
    }
  }

  /** Marks all variables that become active in `statements`, until nothing changes. */
  propagate(statements: readonly IrStatement[]): void {
    let before = -1;
    while (this.variables.size !== before) {
      before = this.variables.size;
      this.visit(statements);
    }
  }

  private visit(statements: readonly IrStatement[]): void {
    visitStatements(statements, (statement) => {
      switch (statement.op) {
        case 'declare':
          if (statement.initial) this.assign(statement.variable, statement.initial);
          break;
        case 'bind':
          for (const variable of statement.variables) this.assign(variable, statement.value);
          break;
        case 'assign':
        case 'store':
          this.assign(statement.variable, statement.value);
          break;
        case 'for-each':
          this.assign(statement.variable, statement.over);
          break;
        default:
          break;
      }
    });
  }

  private assign(variable: IrVariable, value: IrExpression): void {
    if (variable.type.base !== 'int' && this.isActive(value)) this.variables.add(variable);
  }
}
