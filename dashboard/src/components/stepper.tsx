// Stepper: the steps of a process and the current one among them.
import { Icon } from './icon.tsx'

type Props = {
  label: string
  steps: readonly string[]
  /** Index of the current step; the steps before it are done. */
  current: number
  /** The words that screen readers say after the name of a step. */
  words: { current: string; done: string }
}

export function Stepper({ label, steps, current, words }: Props) {
  return (
    <ol aria-label={label} className="flex flex-col gap-3 sm:flex-row sm:gap-0">
      {steps.map((step, at) => (
        <li
          key={step}
          aria-current={at === current ? 'step' : undefined}
          className={`group flex items-center gap-2.5 sm:min-w-0 sm:grow ${at === current ? 'font-medium' : 'text-muted'}`}
        >
          <span
            aria-hidden="true"
            className={`grid size-6 shrink-0 place-items-center rounded-full text-xs font-semibold ${
              at < current
                ? 'bg-good-soft text-good'
                : at === current
                  ? 'bg-accent text-on-accent'
                  : 'bg-sunken text-muted'
            }`}
          >
            {at < current ? <Icon name="check" className="size-3.5" /> : at + 1}
          </span>
          {step}
          {at <= current && (
            <span className="sr-only">({at < current ? words.done : words.current})</span>
          )}
          {at < steps.length - 1 && (
            <span aria-hidden="true" className="mx-3 hidden h-px min-w-4 grow bg-line sm:block" />
          )}
        </li>
      ))}
    </ol>
  )
}
