// The spending limit that an owner gives an app on the consent page. It is never the whole balance
// unless they type it.
import {
  type LimitsRow,
  limitsBody,
  type SpendWindow,
  spendWindows,
} from '../../capabilities/limits/index.ts'
import { type Html, html } from '../../kit/html.ts'
import { type Currency, currencies } from '../../kit/money.ts'
import { wordOf } from '../../kit/schema.ts'

/** The choice as it was typed. */
export type SpendChoice = { amount: string; currency: string; window: string }

const cap = { amount: '50.00', currency: 'USD', window: 'month' } as const

/** The limit that the app has already, or else the cap, in the currency of the only balance. */
export function firstSpendChoice(
  row: LimitsRow | undefined,
  { now, funded }: { now: Date; funded: readonly Currency[] },
): SpendChoice {
  const { spend_limit } = limitsBody(row, now)
  if (spend_limit) {
    const { amount, currency, window } = spend_limit
    return { amount, currency, window }
  }
  return { ...cap, currency: funded.length === 1 ? (funded[0] ?? cap.currency) : cap.currency }
}

/** Reads the choice. Fields that a form leaves out have the values of the cap. */
export function spendChoiceIn(fields: URLSearchParams): SpendChoice {
  const text = (name: string) => fields.get(name)?.trim().slice(0, 30)
  return {
    amount: text('spend_amount') ?? cap.amount,
    currency: text('spend_currency') ?? cap.currency,
    window: text('spend_window') ?? cap.window,
  }
}

/**
 * The limit as a request has it, with the amount as it was typed. Undefined for a currency or a
 * window that we do not have.
 */
export function spendLimitOf({ amount, currency, window }: SpendChoice) {
  const known = currencies.find((one) => one === currency)
  const period = spendWindows.find((one) => one === window)
  return known && period ? { amount, currency: known, window: period } : undefined
}

const windowWords: Readonly<Record<SpendWindow, string>> = {
  day: 'a day',
  month: 'a month',
  total: 'in total',
}

/** The limit in words, as in "50.00 USD a month". */
export function spendWords({ amount, currency, window }: SpendChoice): string {
  return `${amount} ${currency} ${windowWords[wordOf(spendWindows, window)]}`
}

const problem = html`<p class="problem-text" id="spend-problem">Type an amount such as 50.00.</p>`

type Shown = { choice: SpendChoice; balances: readonly string[]; is_problem: boolean }

export function spendFields({ choice, balances, is_problem }: Shown): Html {
  const option = (value: string, chosen: string, words: string) =>
    html`<option value="${value}"${value === chosen ? html` selected` : null}>${words}</option>`
  const state = is_problem
    ? html` aria-invalid="true" aria-describedby="spend-problem spend-hint" autofocus`
    : html` aria-describedby="spend-hint"`
  return html`<fieldset class="spend"><legend>If it may buy, how much may it spend?</legend>
<div class="amounts">
<label class="hidden-label" for="spend_amount">Amount</label>
<input id="spend_amount" name="spend_amount" value="${choice.amount}" inputmode="decimal"
 autocomplete="off" maxlength="20" required${state}>
<label class="hidden-label" for="spend_currency">Currency</label>
<select id="spend_currency" name="spend_currency">
${currencies.map((one) => option(one, choice.currency, one))}
</select>
<label class="hidden-label" for="spend_window">Time</label>
<select id="spend_window" name="spend_window">
${spendWindows.map((one) => option(one, choice.window, windowWords[one]))}
</select>
</div>
${is_problem ? problem : null}
<p class="small" id="spend-hint">It buys in this currency only. You can change the limit later.
Your balance is ${balances.join(' and ')}.</p>
</fieldset>`
}
