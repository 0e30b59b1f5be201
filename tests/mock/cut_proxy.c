/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Stands between libslurm and slurmctld and damages the replies.
 *
 *	cut_proxy PORT TARGET HOW
 *
 * Listens on 127.0.0.1:PORT and passes each connection on to 127.0.0.1:TARGET. The first word of
 * the file HOW is read anew for each connection:
 *
 *	well	passes the reply on
 *	close	closes instead of replying
 *	half	passes on half of the reply, then closes
 *	stall	passes on half of the reply, then says nothing more
 *	garbage	sends a reply of the right length, but other bytes
 *	length	sends a reply that announces four gigabytes, then closes
 *
 * A message of Slurm is its length in four bytes, in network order, then that many bytes.
 */
#include <arpa/inet.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define MESSAGE_MOST (UINT32_C(1) << 28)

static struct sockaddr_in loopback(const char *port)
{
	return (struct sockaddr_in){
		.sin_family = AF_INET,
		.sin_port = htons((uint16_t)strtoul(port, NULL, 10)),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
}

static bool read_all(int fd, unsigned char *to, size_t length)
{
	while (length > 0) {
		ssize_t n = read(fd, to, length);

		if (n <= 0)
			return false;
		to += n;
		length -= (size_t)n;
	}
	return true;
}

static void write_all(int fd, const unsigned char *from, size_t length)
{
	while (length > 0) {
		ssize_t n = write(fd, from, length);

		if (n <= 0)
			return;
		from += n;
		length -= (size_t)n;
	}
}

/* A whole message including its length; NULL if none comes. */
static unsigned char *read_message(int fd, size_t *size)
{
	unsigned char head[4], *message;
	uint32_t length;

	if (!read_all(fd, head, sizeof(head)))
		return NULL;
	length = (uint32_t)head[0] << 24 | (uint32_t)head[1] << 16 | (uint32_t)head[2] << 8 |
		 head[3];
	if (length > MESSAGE_MOST)
		return NULL;
	*size = sizeof(head) + length;
	message = malloc(*size);
	if (!message)
		return NULL;
	memcpy(message, head, sizeof(head));
	if (read_all(fd, message + sizeof(head), length))
		return message;
	free(message);
	return NULL;
}

static void read_how(const char *path, char *how, size_t size)
{
	FILE *f = fopen(path, "r");

	snprintf(how, size, "well");
	if (f) {
		if (!fgets(how, (int)size, f))
			snprintf(how, size, "well");
		fclose(f);
	}
	how[strcspn(how, " \n")] = '\0';
}

static void spoil(int client, const char *how, unsigned char *reply, size_t size)
{
	unsigned char rest[256];

	if (strcmp(how, "close") == 0)
		return;
	if (strcmp(how, "half") == 0 || strcmp(how, "stall") == 0)
		size /= 2;
	if (strcmp(how, "garbage") == 0) {
		for (size_t i = 4; i < size; i++)
			reply[i] = (unsigned char)(i * 167 + 13);
	}
	if (strcmp(how, "length") == 0)
		memset(reply, 0xff, 4);
	write_all(client, reply, size);
	while (strcmp(how, "stall") == 0 && read(client, rest, sizeof(rest)) > 0)
		;
}

/* Serves one request and its reply: libslurm sends no more on a connection. */
static void serve(int client, const char *target, const char *path)
{
	struct sockaddr_in address = loopback(target);
	int server = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	unsigned char *question, *reply;
	char how[32];
	size_t size;

	read_how(path, how, sizeof(how));
	if (server < 0 || connect(server, (struct sockaddr *)&address, sizeof(address)) < 0)
		return;
	question = read_message(client, &size);
	if (question)
		write_all(server, question, size);
	reply = question ? read_message(server, &size) : NULL;
	if (reply)
		spoil(client, how, reply, size);
	free(question);
	free(reply);
}

int main(int argc, char **argv)
{
	struct sockaddr_in address, peer;
	socklen_t length = sizeof(peer);
	int listener, client, one = 1;

	if (argc != 4) {
		fprintf(stderr, "usage: cut_proxy PORT TARGET HOW\n");
		return 2;
	}
	address = loopback(argv[1]);
	listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (listener < 0) {
		perror("cut_proxy");
		return 1;
	}
	signal(SIGCHLD, SIG_IGN);
	signal(SIGPIPE, SIG_IGN);
	setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	if (bind(listener, (struct sockaddr *)&address, sizeof(address)) < 0 ||
	    listen(listener, 16) < 0) {
		perror("cut_proxy");
		close(listener);
		return 1;
	}
	while ((client = accept4(listener, (struct sockaddr *)&peer, &length, SOCK_CLOEXEC)) >= 0) {
		if (fork() == 0) {
			serve(client, argv[2], argv[3]);
			_exit(0);
		}
		close(client);
	}
	close(listener);
	return 0;
}
