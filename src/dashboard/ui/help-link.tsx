/** A small question mark that links to the help on what it is next to. */
import { IconHelp } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import classes from './help-link.module.css';
import { type HelpTopic, helpTopics } from './help-topics.ts';

export interface HelpLinkProps {
  readonly topic: HelpTopic;
  /** What is explained, for people who cannot see its position: "divergences". */
  readonly of: string;
}

export function HelpLink({ topic, of }: HelpLinkProps) {
  return (
    <Link
      to="/help/$page"
      params={{ page: helpTopics[topic] }}
      hash={topic}
      className={classes.link}
      aria-label={`Help: ${of}`}
      title={`Help: ${of}`}
    >
      <IconHelp size={14} aria-hidden="true" />
    </Link>
  );
}
