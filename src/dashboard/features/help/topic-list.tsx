/** A page of explained topics; the one named in the address is scrolled into view. */
import { Fragment } from 'react';
import { CodeText } from '../../ui/code-text.tsx';
import classes from './help.module.css';
import type { Topic } from './topic.ts';

export function TopicList({ topics }: { topics: readonly Topic[] }) {
  return (
    <div className={classes.prose}>
      {topics.map((topic) => (
        <section key={topic.id} id={topic.id} className={classes.topic} aria-label={topic.title}>
          <h2>{topic.title}</h2>
          {topic.meaning.map((paragraph) => (
            <p key={paragraph}>
              <Emphasised text={paragraph} />
            </p>
          ))}
          {topic.advice !== undefined && (
            <>
              <h3>What to do</h3>
              <ol>
                {topic.advice.map((step) => (
                  <li key={step}>
                    <Emphasised text={step} />
                  </li>
                ))}
              </ol>
            </>
          )}
          {topic.sources !== undefined && (
            <p className={classes.sources}>
              {topic.sources.map(({ label, href }) => (
                <a key={href} href={href} target="_blank" rel="noreferrer">
                  {label}
                </a>
              ))}
            </p>
          )}
        </section>
      ))}
    </div>
  );
}

/** Labels of the app are between asterisks, code between backticks. */
function Emphasised({ text }: { text: string }) {
  return text.split('*').map((part, index) =>
    index % 2 === 1 ? (
      <em key={index}>{part}</em>
    ) : (
      <Fragment key={index}>
        <CodeText>{part}</CodeText>
      </Fragment>
    ),
  );
}
