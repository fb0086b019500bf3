// The messages of a conversation by day, oldest first. The newest ones stay in view unless the
// reader has scrolled up.
import { Fragment, type ReactNode, useLayoutEffect, useRef } from 'react'
import type { SupportMessageResponse } from 'sdk'
import { Button } from '../../components/button.tsx'
import { dayKey, formatLongDay, formatMoment, formatTime } from '../../lib/format.ts'
import type { Outgoing } from '../../lib/support/use-outgoing.ts'
import { supportTexts as texts } from '../../messages/support/support-texts.ts'

/** The distance from the end within which the list follows new messages. */
const near_px = 120

/** The side whose page it is, and the name that the other side has there. */
type Side = { own: 'customer' | 'operator'; other: string }

const ofCustomer: Side = { own: 'customer', other: texts.operator }

/** `operator` is the name of the operator, which only the operators' pages have. */
type ShownMessage = SupportMessageResponse & { operator?: string | null }

type Props = {
  side?: Side
  messages: readonly ShownMessage[]
  outgoing: readonly Outgoing[]
  older: { isBusy: boolean; show: () => void } | null
  onRetry: (one: Outgoing) => void
  onDiscard: (one: Outgoing) => void
}

export function MessageList({
  side = ofCustomer,
  messages,
  outgoing,
  older,
  onRetry,
  onDiscard,
}: Props) {
  const list = useFollowedEnd(messages, outgoing)
  const lastOwn = messages.findLast(({ sender }) => sender === side.own)
  return (
    <div
      ref={list}
      role="log"
      aria-label={texts.conversation}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region needs the keyboard
      tabIndex={0}
      className="flex min-h-0 grow flex-col gap-2 overflow-y-auto px-4 py-4 -outline-offset-2"
    >
      {older && (
        <Button size="sm" className="self-center" busy={older.isBusy} onClick={older.show}>
          {texts.older}
        </Button>
      )}
      {messages.map((message, at) => (
        <Fragment key={message.id}>
          {isNewDay(messages[at - 1], message) && <Day at={message.created_at} />}
          <Message
            side={side}
            message={message}
            isLastOwn={message === lastOwn && outgoing.length === 0}
          />
        </Fragment>
      ))}
      {outgoing.map((one) => (
        <Bubble key={one.key} isOwn author={texts.you} body={one.body}>
          {one.state === 'sending' ? (
            texts.sending
          ) : (
            <span role="alert" className="flex flex-wrap items-center justify-end gap-2">
              <span className="text-bad">{texts.failed}</span>
              <Button size="sm" onClick={() => onRetry(one)}>
                {texts.retry}
              </Button>
              <Button size="sm" look="ghost" onClick={() => onDiscard(one)}>
                {texts.discard}
              </Button>
            </span>
          )}
        </Bubble>
      ))}
    </div>
  )
}

function useFollowedEnd(messages: Props['messages'], outgoing: Props['outgoing']) {
  const list = useRef<HTMLDivElement>(null)
  const state = useRef({ newest: '', oldest: '', height: 0, sending: 0 })
  const newest = messages.at(-1)?.id ?? ''
  const oldest = messages[0]?.id ?? ''
  const sending = outgoing.length
  useLayoutEffect(() => {
    const element = list.current
    if (element === null) return
    const before = state.current
    const height = element.scrollHeight
    const grown = height - before.height
    const end = before.height - element.scrollTop - element.clientHeight
    const isOlder = before.oldest !== '' && before.oldest !== oldest && before.newest === newest
    // Older messages that are added above do not move the reader.
    if (isOlder) element.scrollTop += grown
    else if (before.newest === '' || end < near_px || sending > before.sending)
      element.scrollTop = height
    state.current = { newest, oldest, height, sending }
  }, [newest, oldest, sending])
  return list
}

function isNewDay(
  before: SupportMessageResponse | undefined,
  { created_at }: SupportMessageResponse,
) {
  return before === undefined || dayKey(before.created_at) !== dayKey(created_at)
}

function Day({ at }: { at: string }) {
  return (
    <p className="my-2 flex items-center gap-3 text-xs text-muted before:h-px before:grow before:bg-line after:h-px after:grow after:bg-line">
      {formatLongDay(at)}
    </p>
  )
}

type MessageProps = { side: Side; message: ShownMessage; isLastOwn: boolean }

function Message({ side: { own, other }, message, isLastOwn }: MessageProps) {
  const { sender, operator, body, created_at, read_at } = message
  const isOwn = sender === own
  const isService = sender === 'system'
  const state = read_at === null ? texts.sent : texts.read(formatTime(read_at))
  // Several operators share a conversation, so each message has the name of its author.
  const ownName = own === 'customer' ? texts.you : (operator ?? texts.operator)
  const author = isOwn ? ownName : isService ? texts.system : other
  const isUnread = own === 'operator' && sender === 'customer' && read_at === null
  return (
    <Bubble isOwn={isOwn} isNamed={own === 'operator'} author={author} body={body}>
      <time dateTime={created_at} title={formatMoment(created_at)}>
        {formatTime(created_at)}
      </time>
      {isLastOwn && ` · ${state}`}
      {isUnread && ` · ${texts.unread}`}
    </Bubble>
  )
}

type BubbleProps = {
  isOwn?: boolean
  /** Whether the author is shown by name, in addition to the place and color that show the side. */
  isNamed?: boolean
  author: string
  body: string
  children: ReactNode
}

function Bubble({ isOwn = false, isNamed = false, author, body, children }: BubbleProps) {
  const [place, look] = isOwn
    ? ['self-end items-end', 'rounded-br-sm bg-accent text-on-accent']
    : ['self-start items-start', 'rounded-bl-sm border border-line bg-sunken text-ink']
  return (
    <div className={`flex max-w-[85%] flex-col gap-1 md:max-w-[65%] ${place}`}>
      <span
        className={isOwn && !isNamed ? 'sr-only' : 'px-1 text-xs font-medium break-all text-muted'}
      >
        {author}
      </span>
      <p className={`max-w-full rounded-2xl px-3.5 py-2 break-words whitespace-pre-wrap ${look}`}>
        <bdi>{body}</bdi>
      </p>
      <span className="px-1 text-xs text-muted">{children}</span>
    </div>
  )
}
